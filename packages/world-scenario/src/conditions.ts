/** Properties of an answer that an if may test; never ids. */
import { isRecord, type JsonValue } from '@stateeval/contracts'
import {
  type RandomSource,
  type ScopeBinding,
  type TestableProperty,
  type ValuePath,
} from '@stateeval/program'
import { getPathValue, getUnknownKind } from '@stateeval/world-model'
import type { OperationPlan, ScenarioPlan } from './plan.ts'
import { drawOther, listBodyLeaves } from './values.ts'

/** The fields of an item that tell no id. */
const isTestable = ({ type }: OperationPlan, [name]: ValuePath) =>
  typeof name === 'string' &&
  name !== type.identity.field &&
  Object.hasOwn(type.fields, name) &&
  !type.place?.includes(name) &&
  type.fields[name]!.refers === undefined

export function listConditions(
  plan: ScenarioPlan,
  { api, value }: ScopeBinding,
  rng: RandomSource,
): TestableProperty[] {
  const form = api === undefined ? undefined : plan.byId.get(api)
  if (!form || form.operation.answer.told) return []
  const at = form.operation.answer.at ?? []
  const shown = getPathValue(value, at)
  const ofItem = (item: JsonValue, path: ValuePath): TestableProperty[] =>
    listBodyLeaves(item).flatMap(({ path: inside, value: leaf }): TestableProperty[] => {
      if (!isTestable(form, inside) || leaf === null || typeof leaf === 'object') return []
      if (getUnknownKind(leaf) !== null) return []
      const other = drawOther(form.type, inside, leaf, rng)
      return other === leaf ? [] : [{ path: [...path, ...inside], measure: 'value', value: leaf, other }]
    })
  if (!Array.isArray(shown)) return isRecord(shown) ? rng.shuffle(ofItem(shown, at)) : []
  const fields = rng.shuffle(shown.flatMap((item, index) => ofItem(item, [...at, index])))
  const { length } = shown
  const other = length > 0 && rng.chance(0.5) ? length - 1 : length + 1
  const count: TestableProperty = { path: at, measure: 'count', value: length, other }
  return rng.chance(0.5) ? [count, ...fields] : [...fields, count]
}
