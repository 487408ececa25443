/** The effect of a call, and the states that it changes and consumes. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { CallTransition } from '@stateeval/program'
import {
  countPredictedIds,
  findParents,
  getIdentity,
  getPathValue,
  listCollection,
  type ModelItem,
  type ModelState,
  predictCall,
  readPlace,
} from '@stateeval/world-model'
import { type OperationPlan, type ScenarioPlan, unwrapBody } from './plan.ts'
import { describeRemovedItems, hideServerValues, listIssued, type TrackedWorld } from './world.ts'

/** Names of an item, and of the collection that a call acts on, as states that calls change. */
const nameItem = ({ type, key }: ModelItem) => `${type}#${key}`
const nameCollection = (type: string, parent: number | null, place: JsonObject) =>
  `${type}@${parent ?? ''}${Object.values(place)
    .map((value) => `/${String(value)}`)
    .join('')}`

/** The effect of a call whose arguments are values. */
export function runCall(
  plan: ScenarioPlan,
  form: OperationPlan,
  world: TrackedWorld,
  given: Readonly<Record<string, JsonValue>>,
): CallTransition<TrackedWorld> & { unordered?: boolean } {
  const { model } = plan
  const { id, operation } = form
  const args = unwrapBody(form, given)
  const before = world.state
  const named = predictCall(model, before, { operation: id, args })
  const prediction = plan.hasCountedIds ? countPredictedIds(model, named) : named
  if (!prediction.ok)
    return { ok: false, error: { status: prediction.status, message: `${id} answers ${prediction.status}` } }
  const { made, written, gone } = compareStates(before, prediction.state)
  const { collection, read } = listReadItems(plan, form, before, args, prediction.answer)
  const isWhole = operation.target === undefined || made.length > 0
  const isMoved = made.length + gone.length > 0
  const next = (): TrackedWorld => ({
    state: prediction.state,
    initial: world.initial,
    created: [...world.created, ...listIssued(plan, made)],
    gone: [...world.gone, ...describeRemovedItems(plan, before, gone)],
    unread: [
      ...world.unread.filter((key) => ![...read, ...gone].some((item) => item.key === key)),
      ...(isAnswered(operation) ? [] : written.map(({ key }) => key)),
    ],
  })
  const isSame = prediction.state === before && !read.some(({ key }) => world.unread.includes(key))
  return {
    ok: true,
    world: isSame ? world : next(),
    ...(operation.answer.is !== 'none' && { output: hideServerValues(prediction.answer ?? null) }),
    affects: [...(isMoved ? [collection] : []), ...[...written, ...gone].map(nameItem)],
    reads: [...(isWhole ? [collection] : []), ...read.map(nameItem)],
    ...(prediction.unordered.length > 0 && read.length > 1 && { unordered: true }),
  }
}

/** The items that a call made, wrote (the made ones among them) and removed. */
export function compareStates(before: ModelState, after: ModelState) {
  if (after === before) return { made: [], written: [], gone: [] }
  const old = new Map(before.items.map((item) => [item.key, item]))
  const left = new Set(after.items.map(({ key }) => key))
  const written = after.items.filter((item) => old.get(item.key) !== item)
  return {
    written,
    made: written.filter(({ key }) => !old.has(key)),
    gone: before.items.filter(({ key }) => !left.has(key)),
  }
}

/** The collection that a call acts on, and the items whose state it consumes. */
function listReadItems(
  { model }: ScenarioPlan,
  { operation, type }: OperationPlan,
  before: ModelState,
  args: Readonly<Record<string, JsonValue>>,
  answer: JsonValue | undefined,
): { collection: string; read: ModelItem[] } {
  const parents = findParents(model, before, operation, args) ?? []
  const scope = { operation, type, parents, place: readPlace(type, args) }
  const collection = nameCollection(operation.type, parents[0]?.key ?? null, scope.place)
  if (operation.effect === 'create') return { collection, read: [] }
  const shown = getPathValue(answer, operation.answer.at ?? [])
  const ids = new Set<string>()
  if (operation.target !== undefined) ids.add(String(args[operation.target]))
  else if (Array.isArray(shown))
    for (const item of shown) if (isRecord(item)) ids.add(String(item[type.identity.field]))
  const items = listCollection(before, scope)
  const read =
    operation.effect === 'delete-many'
      ? items
      : items.filter((item) => ids.has(String(getIdentity(model, item))))
  return { collection, read }
}

/** Tells whether an answer shows the whole item, so that a program has read what it wrote. */
const isAnswered = ({ answer: { is, only, told } }: OperationPlan['operation']) =>
  is === 'item' && only === undefined && told === undefined
