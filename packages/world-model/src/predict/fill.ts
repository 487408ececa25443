/** Fields that the server fills when an item is created or written. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { ServerField, WorldModel, WorldType } from '../model.ts'
import { getPathValue, parsePointer, setPathValue } from '../pointer.ts'
import type { ModelItem } from '../state.ts'
import { anyValue, nameUnknown } from '../unknown.ts'
import { getIdentity } from './items.ts'

interface FilledWrite {
  key: number
  /** The number of this write. */
  write: number
  isNew: boolean
  sent: JsonObject
  parents: readonly ModelItem[]
}

/** The values with the fields of the server. */
export function fillServerFields(
  model: WorldModel,
  type: WorldType,
  values: JsonObject,
  by: FilledWrite,
): JsonObject {
  let filled = values
  for (const [pointer, field] of Object.entries(type.server ?? {})) {
    const path = parsePointer(pointer)
    if (!by.isNew && field.onWrite !== true && field.from !== 'anything') continue
    if (field.ifAbsent && getPathValue(by.sent, path) !== undefined) continue
    const value = makeServerValue(model, type, { pointer, field, filled, by })
    if (value !== undefined) filled = setPathValue(filled, path, value)
  }
  return filled
}

function makeServerValue(
  model: WorldModel,
  type: WorldType,
  {
    pointer,
    field,
    filled,
    by: { key, write, sent, parents },
  }: { pointer: string; field: ServerField; filled: JsonObject; by: FilledWrite },
): JsonValue | undefined {
  switch (field.from) {
    case 'identity':
      return filled[type.identity.field]
    case 'clock':
      return nameUnknown('clock', `${write}${pointer}@${key}`)
    case 'token':
      return nameUnknown('token', `${write}${pointer}@${key}`)
    case 'constant':
      return getPathValue(sent, parsePointer(pointer)) === undefined
        ? ((field.value ?? null) as JsonValue)
        : undefined
    case 'copy':
      return sent[field.field ?? ''] ?? ((field.value ?? null) as JsonValue)
    case 'parent': {
      const parent = parents[field.up ?? 0]
      return parent ? getIdentity(model, parent) : anyValue
    }
    case 'anything':
      return anyValue
  }
}

/** What the API keeps of the fields that were sent. */
export function keepSentFields({ fields }: WorldType, sent: JsonObject): JsonObject {
  const entries = Object.entries(sent).flatMap(([name, value]): [string, JsonValue][] => {
    const stored = Object.hasOwn(fields, name) ? fields[name]!.stored : undefined
    if (stored === 'not') return []
    if (stored === 'somehow') return [[name, anyValue]]
    return [[name, stored === 'as text' && typeof value !== 'object' ? String(value) : value]]
  })
  return Object.fromEntries(entries)
}

/** Default values of the fields that were not sent. */
export const fillDefaults = ({ fields }: WorldType, sent: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default as JsonValue]],
    ),
  ),
  ...sent,
})

/** Joins objects at every depth; other values are replaced. */
export function mergeDeep(old: JsonValue | undefined, next: JsonValue): JsonValue {
  if (!isRecord(old) || !isRecord(next)) return next
  return {
    ...old,
    ...Object.fromEntries(Object.entries(next).map(([name, value]) => [name, mergeDeep(old[name], value)])),
  }
}

export const isUnchanged = (old: JsonObject, next: JsonObject) => isDeepStrictEqual(old, next)
