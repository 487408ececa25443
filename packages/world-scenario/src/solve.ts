/** Valid calls of an operation in a state, made of what the program can name. */
import type { Call, JsonValue } from '@stateeval/contracts'
import { isRecord } from '@stateeval/contracts'
import { createRef, fitCallShape, type PossibleCall, type RandomSource } from '@stateeval/program'
import { getPathValue } from '@stateeval/world-model'
import { runCall } from './effect.ts'
import { type Arguments, evaluateArguments, isCurrentCopy, listKnownItems, type Scope } from './known.ts'
import {
  listBodies,
  listPlaces,
  listUserBindings,
  listUserItems,
  namePlace,
  toPlaceArguments,
} from './places.ts'
import { type OperationPlan, type ScenarioPlan, toIdKey } from './plan.ts'
import { listFilters, listSearches } from './queries.ts'
import { listSentFields } from './values.ts'

/** Calls of one operation in one step, which are enough to choose from. */
const maxCalls = 8

export const buildCall = ({ id, shape }: OperationPlan, args: Arguments): Call => ({
  ...fitCallShape(shape, args),
  api: id,
  args,
})

export function* solveOperation(
  plan: ScenarioPlan,
  form: OperationPlan,
  scope: Scope,
  rng: RandomSource,
): Generator<PossibleCall, void, undefined> {
  let count = 0
  for (const args of listArguments(plan, form, scope, rng)) {
    const values = evaluateArguments(scope.bindings, args)
    const transition = runCall(plan, form, scope.world, values)
    if (!transition.ok || transition.unordered) continue
    if (!isWorthwhile(form, scope, transition, values)) continue
    yield { call: buildCall(form, args), consumes: transition.reads }
    if (++count === maxCalls) return
  }
}

/** Leaves out calls that tell or change nothing. */
function isWorthwhile(
  { id, operation }: OperationPlan,
  { bindings, world }: Scope,
  transition: Extract<ReturnType<typeof runCall>, { ok: true }>,
  values: Readonly<Record<string, JsonValue>>,
): boolean {
  const { effect, answer } = operation
  if (effect === 'list' || effect === 'search' || effect === 'read') {
    const text = JSON.stringify(transition.output)
    const shown = getPathValue(transition.output, answer.at ?? [])
    const isEmpty = Array.isArray(shown) && shown.length === 0
    return !isEmpty && !bindings.some(({ api, value }) => api === id && JSON.stringify(value) === text)
  }
  const { items } = transition.world.state
  const isChanged =
    items.length !== world.state.items.length || items.some((item, at) => item !== world.state.items[at])
  const isOverwritten = world.state.items.some(
    (item) =>
      world.unread.includes(item.key) &&
      !items.includes(item) &&
      Object.values(values).some((value) => JSON.stringify(item.values).includes(JSON.stringify(value))),
  )
  return isChanged && !isOverwritten
}

/** Arguments of calls, in random order; not all of them are valid. */
function* listArguments(
  plan: ScenarioPlan,
  form: OperationPlan,
  scope: Scope,
  rng: RandomSource,
): Generator<Arguments, void, undefined> {
  const { operation, body } = form
  const bodies = body
    ? rng.shuffle(listBodies(plan, scope, form)).filter(({ value }) => isValidBody(form, value))
    : []
  const withBodies = (args: Arguments): Arguments[] =>
    body ? rng.sample(bodies, 3).map(({ reference }) => ({ ...args, [body.argument]: reference })) : [args]
  if (operation.target !== undefined) {
    const known = [...listKnownItems(plan, scope, operation.type), ...listUserItems(plan, scope, form)]
    for (const named of rng.shuffle(known)) {
      if (operation.effect === 'read' && isCurrentCopy(named)) continue
      yield* withBodies({ ...toPlaceArguments(form, named), [operation.target]: named.id })
    }
    if (operation.createsStatus === undefined) return
    for (const { name, value } of rng.shuffle(listUserBindings(scope))) {
      const place = namePlace(plan, form, name, value)
      if (place && value[toIdKey(operation.type)] !== undefined)
        yield* withBodies({
          ...toPlaceArguments(form, place),
          [operation.target]: createRef(name, toIdKey(operation.type)),
        })
    }
    return
  }
  for (const place of rng.shuffle(listPlaces(plan, scope, form)))
    for (const args of withBodies(toPlaceArguments(form, place)))
      for (const search of listSearches(form, scope, rng))
        for (const filter of listFilters(plan, form, scope, rng)) yield { ...args, ...search, ...filter }
}

/** A body has all fields that a new item needs, and none that the call may not write. */
function isValidBody(form: OperationPlan, value: JsonValue): boolean {
  const content = getPathValue(value, form.body!.at)
  if (!isRecord(content)) return false
  if (form.operation.content?.at) return true
  const names = listSentFields(form)
  const { fields } = form.type
  const isPartial = form.operation.effect === 'update'
  return (
    Object.keys(content).every((name) => names.includes(name)) &&
    Object.entries(fields).every(
      ([name, { required }]) =>
        isPartial || !required || form.place.includes(name) || !names.includes(name) || name in content,
    )
  )
}
