/** The predictor: the pure function (state, call) → (state, answer) of every model. */
import { isRecord, type JsonObject, type JsonValue } from '@stateeval/contracts'
import type { CallRefusal, WorldModel } from '../model.ts'
import { getPathValue, parsePointer, setPathValue } from '../pointer.ts'
import type { ModelItem, ModelState } from '../state.ts'
import { nameUnknown } from '../unknown.ts'
import { type PredictedAnswer, answerItem, answerItems, noAnswer } from './answer.ts'
import { fillDefaults, fillServerFields, isUnchanged, keepSentFields, mergeDeep } from './fill.ts'
import {
  type CallArguments,
  type CallScope,
  findDouble,
  findParents,
  getIdentity,
  getOwn,
  isSameIdentity,
  listCollection,
  readPlace,
  removeItems,
} from './items.ts'
import { hasFieldValue, isPassing } from './matches.ts'
import { findRefusal } from './refuse.ts'

/** A call of a model: an operation's id, and its arguments by name. */
export interface ModelCall {
  operation: string
  args: CallArguments
}

export type CallPrediction =
  | ({ ok: true; status: number; state: ModelState } & PredictedAnswer)
  | { ok: false; status: number; state: ModelState }

/** Conditions of every call, after those of its operation. */
const lastRefusals = {
  parents: { unless: 'parents', status: 404 },
  found: { unless: 'found', status: 404 },
  free: { unless: 'free', status: 409 },
  unique: { unless: 'unique', status: 409 },
} satisfies Record<string, CallRefusal>

/** Predicts a call. Throws on an operation that the model lacks. */
export function predictCall(
  model: WorldModel,
  state: ModelState,
  { operation: id, args }: ModelCall,
): CallPrediction {
  const operation = Object.hasOwn(model.operations, id) ? model.operations[id] : undefined
  const type = operation && model.types[operation.type]
  if (!operation || !type) throw new Error(`the model has no operation ${id}`)
  const parents = findParents(model, state, operation, args)
  const scope: CallScope | null = parents && { operation, type, parents, place: readPlace(type, args) }
  const targetId = operation.target === undefined ? undefined : getOwn(args, operation.target)
  const target =
    scope === null || operation.target === undefined
      ? undefined
      : listCollection(state, scope).find((item) => isSameIdentity(getIdentity(model, item), targetId))
  const content = operation.content && getOwn(args, operation.content.argument)
  const sent = isRecord(content) ? content : undefined
  const next = scope && buildValues(scope, { target, targetId, sent })
  const refusals = [
    ...(operation.refuses ?? []),
    lastRefusals.parents,
    ...(operation.target !== undefined && operation.createsStatus === undefined ? [lastRefusals.found] : []),
    ...(operation.effect === 'create' && operation.existing === undefined
      ? [lastRefusals.free, lastRefusals.unique]
      : []),
  ]
  const status = findRefusal(
    { model, state, operation, args, scope, target, next: next ?? undefined, sent },
    refusals,
  )
  if (status !== null) return { ok: false, status, state }
  return applyCall(model, state, { scope: scope!, args, target, sent: sent ?? {}, next: next! })
}

interface AppliedCall {
  scope: CallScope
  args: CallArguments
  target: ModelItem | undefined
  sent: JsonObject
  /** The item's values before the server fills its fields. */
  next: JsonObject
}

/** The values of the item as the call leaves them. */
function buildValues(
  { operation, type, place }: CallScope,
  call: { target: ModelItem | undefined; targetId: JsonValue | undefined; sent: JsonObject | undefined },
): JsonObject {
  const { target, targetId } = call
  const kept = keepSentFields(type, call.sent ?? {})
  const at = operation.content?.at
  const sent = at ? setPathValue({}, at, kept) : kept
  const identity = type.identity.field
  if (!target) {
    const named = targetId === undefined ? {} : { [identity]: targetId }
    return { ...fillDefaults(type, sent), ...place, ...named }
  }
  const merge = operation.merge ?? (operation.effect === 'replace' ? 'replace' : 'shallow')
  if (merge === 'deep') return mergeDeep(target.values, sent) as JsonObject
  if (merge === 'shallow') return { ...target.values, ...sent }
  const stays = [identity, ...(type.place ?? [])]
  const old = Object.fromEntries(
    Object.entries(target.values).filter(([name]) => stays.includes(name) || (at && name !== at[0])),
  )
  const replaced = { ...fillDefaults(type, {}), ...old, ...sent, [identity]: target.values[identity]! }
  return Object.keys(type.server ?? {}).reduce((values, pointer) => {
    const path = parsePointer(pointer)
    return getPathValue(sent, path) === undefined
      ? setPathValue(values, path, getPathValue(target.values, path))
      : values
  }, replaced)
}

function applyCall(model: WorldModel, state: ModelState, call: AppliedCall): CallPrediction {
  const { scope, target, args } = call
  const { operation, type } = scope
  const done = (answer: PredictedAnswer, next = state, status = operation.status): CallPrediction => ({
    ok: true,
    status,
    state: next,
    ...answer,
  })
  switch (operation.effect) {
    case 'create':
      return createItem(model, state, call)
    case 'replace':
    case 'update':
      return target ? writeItem(model, state, call, target) : createItem(model, state, call)
    case 'read':
      return done(answerItem(model, scope, target!))
    case 'delete':
      return done(answerItem(model, scope, target!), removeItems(model, state, [target!]))
    case 'delete-many': {
      const gone = listCollection(state, scope)
      return done(answerItems(model, scope, gone), removeItems(model, state, gone))
    }
    case 'list':
    case 'search': {
      const found = searchItems(scope, args, listCollection(state, scope))
      return 'refused' in found
        ? { ok: false, status: found.refused, state }
        : done(
            answerItems(model, { operation, type, parents: scope.parents, place: scope.place }, found.items),
          )
    }
  }
}

function searchItems(
  { operation: { filters = {}, search } }: CallScope,
  args: CallArguments,
  collection: readonly ModelItem[],
): { items: ModelItem[] } | { refused: number } {
  let items = collection.filter(({ values }) =>
    Object.entries(filters).every(([argument, field]) => {
      const value = getOwn(args, argument)
      return value === undefined || isSameIdentity(values[field], value)
    }),
  )
  if (search?.by === 'field') {
    const [field, value] = [String(args[search.field]), String(args[search.value])]
    items = items.filter(({ values }) => hasFieldValue(values, field, (one) => one === value))
  } else if (search?.by === 'filter') {
    const filter = getOwn(args, search.filter)
    const found: ModelItem[] = []
    for (const item of items) {
      const fits = isRecord(filter) ? isPassing(item.values, filter) : null
      if (fits === null) return { refused: search.status }
      if (fits) found.push(item)
    }
    items = found
  }
  return { items }
}

/** Ids are unique among the items of a collection. */
const nameId = (type: string, parent: ModelItem | undefined, key: number) =>
  nameUnknown('id', `${type}/${parent?.key ?? ''}@${key}`)

function createItem(
  model: WorldModel,
  state: ModelState,
  { scope, sent, next }: AppliedCall,
): CallPrediction {
  const { operation, type, parents } = scope
  const collection = listCollection(state, scope)
  const identity = type.identity.field
  const existing =
    collection.find((item) => isSameIdentity(getIdentity(model, item), next[identity])) ??
    findDouble(type, collection, next)
  if (existing && operation.existing === 'return')
    return {
      ok: true,
      status: operation.existingStatus ?? operation.status,
      state,
      ...answerItem(model, scope, existing),
    }
  const key = state.nextKey
  const named =
    next[identity] === undefined ? { ...next, [identity]: nameId(operation.type, parents[0], key) } : next
  const values = fillServerFields(model, type, named, {
    key,
    write: state.writes,
    isNew: true,
    sent,
    parents,
  })
  const item: ModelItem = {
    type: operation.type,
    key,
    parent: parents[0]?.key ?? null,
    values,
    touched: state.writes,
  }
  const items = existing ? removeItems(model, state, [existing]).items : state.items
  const status =
    operation.effect === 'create' ? operation.status : (operation.createsStatus ?? operation.status)
  return {
    ok: true,
    status,
    state: { items: [...items, item], nextKey: key + 1, writes: state.writes + 1 },
    ...answerItem(model, scope, item),
  }
}

function writeItem(
  model: WorldModel,
  state: ModelState,
  { scope, sent, next }: AppliedCall,
  target: ModelItem,
): CallPrediction {
  const { operation, type, parents } = scope
  const same = operation.ignoresSame === true && isUnchanged(target.values, next)
  const write = { key: target.key, write: state.writes, isNew: false, sent, parents }
  const item = same
    ? target
    : { ...target, values: fillServerFields(model, type, next, write), touched: state.writes }
  return {
    ok: true,
    status: operation.status,
    state: same
      ? state
      : {
          ...state,
          items: state.items.map((other) => (other === target ? item : other)),
          writes: state.writes + 1,
        },
    ...(operation.answer.is === 'none' ? noAnswer : answerItem(model, scope, item)),
  }
}
