/** Items of a state, as calls name them. */
import { isDeepStrictEqual } from 'node:util'
import { formatAsText, isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { WorldModel, WorldOperation, WorldType } from '../model.ts'
import type { ModelItem, ModelState } from '../state.ts'
import { hasSameContent } from './content-text.ts'

/** The arguments of a call, by name. */
export type CallArguments = Readonly<Record<string, JsonValue>>

/** Where a call acts: the items above, the nearest first, and the values of the place. */
export interface CallScope {
  operation: WorldOperation
  type: WorldType
  parents: readonly ModelItem[]
  place: JsonObject
}

export const getOwn = (args: CallArguments, name: string): JsonValue | undefined =>
  Object.hasOwn(args, name) ? args[name] : undefined

export const getIdentity = (model: WorldModel, item: ModelItem): JsonValue =>
  item.values[model.types[item.type]!.identity.field] ?? null

/** Tells whether two identities are the same; a path holds a number as text. */
export const isSameIdentity = (a: JsonValue | undefined, b: JsonValue | undefined) =>
  a !== undefined &&
  b !== undefined &&
  typeof a !== 'object' &&
  typeof b !== 'object' &&
  formatAsText(a) === formatAsText(b)

/** The items above that a call names, the nearest first; null if one is missing. */
export function findParents(
  model: WorldModel,
  state: ModelState,
  operation: WorldOperation,
  args: CallArguments,
): ModelItem[] | null {
  const names = operation.parents ?? []
  const types: string[] = []
  for (let type = model.types[operation.type]?.parent; type !== undefined; type = model.types[type]?.parent)
    types.unshift(type)
  const found: ModelItem[] = []
  for (const [at, name] of names.entries()) {
    const item = findItem(model, state, types[at] ?? '', found[0]?.key ?? null, getOwn(args, name))
    if (!item) return null
    found.unshift(item)
  }
  return found
}

function findItem(
  model: WorldModel,
  { items }: ModelState,
  type: string,
  parent: number | null,
  identity: JsonValue | undefined,
): ModelItem | undefined {
  return items.find(
    (item) =>
      item.type === type && item.parent === parent && isSameIdentity(getIdentity(model, item), identity),
  )
}

/** The place that a call names. */
export const readPlace = (type: WorldType, args: CallArguments): JsonObject =>
  Object.fromEntries((type.place ?? []).map((name) => [name, getOwn(args, name) ?? null]))

/** The items that the call's path holds. */
export const listCollection = (state: ModelState, { operation, parents, place }: CallScope): ModelItem[] =>
  state.items.filter(
    (item) =>
      item.type === operation.type &&
      item.parent === (parents[0]?.key ?? null) &&
      Object.entries(place).every(([name, value]) => isDeepStrictEqual(item.values[name], value)),
  )

/** The item whose unique fields are those of the values, if any. */
export function findDouble(
  { unique }: WorldType,
  collection: readonly ModelItem[],
  values: JsonObject,
  except?: ModelItem,
): ModelItem | undefined {
  if (!unique) return undefined
  const isEqual = (a: JsonValue | undefined, b: JsonValue | undefined) =>
    unique.equal === 'text' && isRecord(a) && isRecord(b) ? hasSameContent(a, b) : isDeepStrictEqual(a, b)
  return collection.find(
    (item) => item !== except && unique.fields.every((name) => isEqual(item.values[name], values[name])),
  )
}

/** The state without items, and without those that go with them. */
export function removeItems(model: WorldModel, state: ModelState, gone: readonly ModelItem[]): ModelState {
  const keys = new Set(gone.map(({ key }) => key))
  let items: readonly ModelItem[] = state.items
  const isOrphan = ({ type, parent }: ModelItem) =>
    parent !== null && keys.has(parent) && model.types[type]!.whenParentGone !== 'keep'
  const refersToGone = (item: ModelItem, fate: 'delete' | 'clear') =>
    Object.entries(model.types[item.type]!.fields).filter(
      ([name, field]) =>
        field.whenGone === fate &&
        state.items.some(
          (other) =>
            keys.has(other.key) &&
            other.type === field.refers &&
            isSameIdentity(getIdentity(model, other), item.values[name]),
        ),
    )
  const refersToNothing = (item: ModelItem) =>
    Object.entries(model.types[item.type]!.fields).some(([name, { whenGone, refers }]) => {
      const value = item.values[name] ?? null
      return (
        whenGone === 'sweep' &&
        value !== null &&
        !state.items.some(
          (other) =>
            !keys.has(other.key) && other.type === refers && isSameIdentity(getIdentity(model, other), value),
        )
      )
    })
  for (let before = -1; before !== keys.size;) {
    before = keys.size
    for (const item of items)
      if (isOrphan(item) || refersToGone(item, 'delete').length > 0 || refersToNothing(item))
        keys.add(item.key)
  }
  items = items
    .filter(({ key }) => !keys.has(key))
    .map((item) => {
      const cleared = refersToGone(item, 'clear')
      return cleared.length === 0
        ? item
        : {
            ...item,
            values: { ...item.values, ...Object.fromEntries(cleared.map(([name]) => [name, null])) },
          }
    })
  return { ...state, items }
}
