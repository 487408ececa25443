/** The scenario's world: the model's state, with what programs need to know of its history. */
import { isRecord, type JsonObject, type JsonValue, type WorldState } from '@stateeval/contracts'
import {
  anyValue,
  countStateIds,
  emptyState,
  getIdentity,
  getUnknownKind,
  hasUnknown,
  type ModelCall,
  type ModelItem,
  type ModelState,
  parsePointer,
  predictCall,
  setPathValue,
  unknownNames,
  type WorldType,
} from '@stateeval/world-model'
import type { ScenarioPlan } from './plan.ts'

export interface TrackedWorld {
  state: ModelState
  /** Ids that the server issued for the initial items, and since. */
  initial: readonly string[]
  created: readonly string[]
  gone: readonly { id: string; last: JsonValue }[]
  /** Keys of items that were written since they were last read. */
  unread: readonly number[]
}
/** The initial items of a program: the calls that make them. */
export interface WorldSetup {
  calls: readonly ModelCall[]
}

/** Names of ids stay; for other values that only the server knows stands one name that means any value. */
export function hideServerValues(value: JsonValue): JsonValue {
  if (!hasHidden(value)) return value
  if (Array.isArray(value)) return value.map(hideServerValues)
  if (!isRecord(value)) return anyValue
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hideServerValues(member)]))
}
/** What has nothing to hide stays the same object: equal values are found quickly. */
function hasHidden(value: JsonValue): boolean {
  if (typeof value === 'string')
    return (
      hasUnknown(value) &&
      Array.from(value.matchAll(unknownNames)).some(([name]) => getUnknownKind(name) !== 'id')
    )
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some(hasHidden)
}

export const listIssued = ({ model }: ScenarioPlan, items: readonly ModelItem[]) =>
  items.map((item) => getIdentity(model, item)).filter((id) => getUnknownKind(id) === 'id') as string[]

export function openWorld(plan: ScenarioPlan, { calls }: WorldSetup): TrackedWorld {
  const named = calls.reduce((now, call) => predictCall(plan.model, now, call).state, emptyState)
  const state = plan.hasCountedIds ? countStateIds(plan.model, named) : named
  return { state, initial: listIssued(plan, state.items), created: [], gone: [], unread: [] }
}

export function observeWorld(
  plan: ScenarioPlan,
  { state, initial, created, gone }: TrackedWorld,
): WorldState {
  const items = state.items.map((item) => ({ type: item.type, ...describeItem(plan, state, item) }))
  return { state: { items }, ids: { initial: [...initial], created: [...created] }, gone: [...gone] }
}

/** Removed items, as they were before. */
export const describeRemovedItems = (
  plan: ScenarioPlan,
  before: ModelState,
  removed: readonly ModelItem[],
): TrackedWorld['gone'] =>
  removed.map((item) => ({
    id: String(getIdentity(plan.model, item)),
    last: describeItem(plan, before, item),
  }))

function describeItem({ model }: ScenarioPlan, { items }: ModelState, item: ModelItem): JsonObject {
  const above = items.find(({ key }) => key === item.parent)
  const values = selectComparedFields(model.types[item.type]!, item.values)
  return { ...(above && { within: getIdentity(model, above) }), values }
}

/** The fields of a stored item that two runs share: no times, tokens and masked members. */
function selectComparedFields({ masked = [], server = {} }: WorldType, values: JsonObject): JsonObject {
  const own = Object.entries(server).flatMap(([at, { from }]) =>
    from === 'clock' || from === 'token' || from === 'anything' ? [at] : [],
  )
  const shared = [...masked, ...own].reduce(
    (value, at) => setPathValue(value, parsePointer(at), undefined),
    values,
  )
  return hideServerValues(shared) as JsonObject
}

/** The places of values that only the server knows. */
export function listHiddenPlaces(value: JsonValue, path: (string | number)[] = []): (string | number)[][] {
  if (value === anyValue) return [path]
  if (Array.isArray(value)) return value.flatMap((item, at) => listHiddenPlaces(item, [...path, at]))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, member]) => listHiddenPlaces(member, [...path, key]))
}
