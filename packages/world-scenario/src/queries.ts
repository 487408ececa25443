/** Arguments that choose among the items of a collection. */
import type { JsonValue } from '@stateeval/contracts'
import { createLiteral, type RandomSource } from '@stateeval/program'
import { type Arguments, listKnownItems, type Scope } from './known.ts'
import type { OperationPlan, ScenarioPlan } from './plan.ts'
import { listBodyLeaves } from './values.ts'

/** No filter, and one by a value that some items have, or by the id of an item that a call has shown. */
export function listFilters(
  plan: ScenarioPlan,
  form: OperationPlan,
  scope: Scope,
  rng: RandomSource,
): Arguments[] {
  const { filters = {}, type } = form.operation
  const items = scope.world.state.items.filter((item) => item.type === type)
  const byOne = rng.shuffle(form.filters).flatMap((argument): Arguments[] => {
    const field = filters[argument]!
    const refers = field === form.type.identity.field ? type : form.type.fields[field]?.refers
    if (refers !== undefined) return listKnownItems(plan, scope, refers).map(({ id }) => ({ [argument]: id }))
    const values = [...new Set(items.map(({ values: { [field]: value } }) => value))]
    const scalars = values.filter(
      (value): value is string | number | boolean =>
        value !== undefined && typeof value !== 'object' && isAsked(String(value)),
    )
    return rng.sample(scalars, 2).map((value) => ({ [argument]: createLiteral(value) }))
  })
  return [{}, ...rng.sample(byOne, 2)]
}

/** Questions about texts that stored items have. */
export function listSearches(form: OperationPlan, scope: Scope, rng: RandomSource): Arguments[] {
  const { search, type } = form.operation
  if (!search) return [{}]
  const names = [...form.place, form.type.identity.field]
  const items = scope.world.state.items.filter((item) => item.type === type)
  const leaves = items
    .flatMap(({ values }) => listBodyLeaves(values))
    .filter(({ path, value }) => !names.includes(String(path[0])) && isAsked(value))
  return rng.sample(leaves, 4).map(({ path, value }): Arguments => {
    const field = path.join('.')
    return search.by === 'field'
      ? { [search.field]: createLiteral(field), [search.value]: createLiteral(value) }
      : { [search.filter]: createLiteral({ [field]: value }) }
  })
}
const isAsked = (value: JsonValue) => typeof value === 'string' && /^[\w .-]+$/.test(value)
