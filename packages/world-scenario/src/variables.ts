/** The user's variables: places, ids and bodies as far as a user knows them before the first call. */
import type { JsonObject, JsonValue, Variable } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { getIdentity, type ModelItem, type ModelState, setPathValue } from '@stateeval/world-model'
import { type OperationPlan, type ScenarioPlan, toIdKey } from './plan.ts'
import { drawContent, drawWords } from './values.ts'

export const listIdsAbove = (
  { model }: ScenarioPlan,
  { items }: ModelState,
  item: ModelItem | undefined,
): JsonValue[] => {
  const ids: JsonValue[] = []
  for (let at = item; at; at = items.find(({ key }) => key === at?.parent))
    ids.unshift(getIdentity(model, at))
  return ids
}

interface StartedWorld {
  focus: readonly string[]
  places: ReadonlyMap<string, JsonObject[]>
  state: ModelState
}

export function drawVariables(
  plan: ScenarioPlan,
  { focus, places, state }: StartedWorld,
  rng: RandomSource,
): Variable[] {
  const values = Array.from({ length: rng.int(2, 3) }, (_, at) => {
    const type = focus[at % focus.length]!
    const forms = plan.operations.filter(({ operation, body }) => operation.type === type && body)
    const form = forms.length > 0 ? rng.pick(forms) : plan.creators.get(type)!
    return drawUserValue(plan, form, { place: places.get(type)![at] ?? {}, state }, rng)
  })
  return values.flatMap((value, at): Variable[] =>
    Object.keys(value).length > 0 ? [{ name: `user_variable_${at}`, role: 'user', values: [value] }] : [],
  )
}

/** A place, an id and a body for an item, as far as a user knows them before the first call. */
function drawUserValue(
  plan: ScenarioPlan,
  form: OperationPlan,
  { place, state }: { place: JsonObject; state: ModelState },
  rng: RandomSource,
): JsonObject {
  const { type } = form.operation
  const { model, above, bodyKeys } = plan
  const items = state.items.filter((item) => item.type === form.type.parent)
  const ids = items.length > 0 ? listIdsAbove(plan, state, rng.pick(items)) : []
  const known = above[type]!.flatMap((one, at): [string, JsonValue][] =>
    model.types[one]!.identity.by === 'client' && ids[at] !== undefined ? [[toIdKey(one), ids[at]]] : [],
  )
  const content = form.body && drawContent({ plan, state, rng, isUserKnown: true }, form)
  const body = content && (form.body!.at.length > 0 ? setPathValue({}, form.body!.at, content) : content)
  const own = form.type.identity.by === 'client' ? drawWords(rng).replaceAll(' ', '-') : undefined
  const stored = state.items.filter((item) => item.type === type)
  const id =
    own !== undefined && stored.length > 0 && rng.chance(0.5) ? getIdentity(model, rng.pick(stored)) : own
  return {
    ...place,
    ...Object.fromEntries(known),
    ...(id !== undefined && form.parents.length === known.length && { [toIdKey(type)]: id }),
    ...(body && { [bodyKeys[type]!]: body }),
  }
}
