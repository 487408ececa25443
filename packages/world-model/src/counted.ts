/** Ids that are numbers count up in a modelled world, so that a prediction can name their values. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { WorldModel, WorldType } from './model.ts'
import type { CallPrediction } from './predict/predict.ts'
import type { ModelState } from './state.ts'
import { hasUnknown, unknownNames } from './unknown.ts'

const isCounted = ({ identity, fields }: WorldType) => {
  const type = fields[identity.field]?.type
  return identity.by !== 'client' && (type === 'integer' || type === 'number')
}
export const hasCountedIds = ({ types }: WorldModel) => Object.values(types).some(isCounted)

/** The number that the name of an id stands for; null for another name. */
export function getCountedId({ types }: WorldModel, name: string): number | null {
  const [, of = '', at] = /^\uE000id:([^/]*)\/.*@(\d+)\uE001$/.exec(name) ?? []
  const type = Object.hasOwn(types, of) ? types[of]! : undefined
  return type && isCounted(type) ? Number(at) + 1 : null
}

/** The value with numbers for the names of such ids; the same object where it has none. */
function countIds(model: WorldModel, value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (!hasUnknown(value)) return value
    return (
      getCountedId(model, value) ??
      value.replaceAll(unknownNames, (name) => String(getCountedId(model, name) ?? name))
    )
  }
  if (typeof value !== 'object' || value === null) return value
  let isSame = true
  const count = (member: JsonValue) => {
    const counted = countIds(model, member)
    isSame &&= counted === member
    return counted
  }
  const counted = Array.isArray(value)
    ? value.map(count)
    : isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, count(member)]))
      : value
  return isSame ? value : counted
}

/** A state in which such ids are numbers; items without them stay the same objects. */
export function countStateIds(model: WorldModel, state: ModelState): ModelState {
  const items = state.items.map((item) => {
    const values = countIds(model, item.values) as JsonObject
    return values === item.values ? item : { ...item, values }
  })
  return items.every((item, at) => item === state.items[at]) ? state : { ...state, items }
}

/** A prediction in which such ids are numbers. */
export function countPredictedIds(model: WorldModel, prediction: CallPrediction): CallPrediction {
  const state = countStateIds(model, prediction.state)
  if (!prediction.ok || prediction.answer === undefined) return { ...prediction, state }
  return { ...prediction, state, answer: countIds(model, prediction.answer) }
}
