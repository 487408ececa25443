/** RandomInit: the user's own sessions and those that the service holds already (Algorithm 1, line 2). */
import type { Json, Variable } from '@stateeval/contracts'
import type { Rng } from '@stateeval/program'
import { leaves, replaced } from './leaves.ts'
import type { Draft } from './state.ts'
import { sessionTypes } from './types.ts'
import { createValues, sources } from './values.ts'

/**
 * Draws 2 or 3 user variables and 3 to 6 remote items. The first variable's source and type hit two to four items, the
 * second's at least one other, so that listing, finding, changing and deleting are possible from any start.
 */
export function start(rng: Rng): { variables: Variable[]; world: Json } {
  const values = createValues(rng)
  const kinds = rng.sample(sessionTypes, 3)
  const places = rng.sample(sources, 3).map((source, index) => ({ source, type: kinds[index] as string }))
  // Now and then two places differ in source or type only: mixing these up must show.
  if (rng.chance(0.5)) (places[1] as Draft).type = kinds[0] as string
  else if (rng.chance(0.3)) (places[1] as Draft).source = (places[0] as Draft).source
  const [first, second, third] = places as [Draft, Draft, Draft]
  const draft = ({ source, type }: Omit<Draft, 'data'>): Draft => ({
    source,
    type,
    data: values.document(type),
  })

  const count = rng.int(3, 6)
  const many = rng.int(2, Math.min(4, count - 1))
  const rest = Array.from({ length: count - many - 1 }, () => rng.pick(places))
  const items = rng.shuffle([...Array.from({ length: many }, () => first), second, ...rest]).map(draft)

  const users = [first, second, ...(rng.chance(0.5) ? [rng.pick([first, second, third])] : [])].map(draft)
  const variables = users.map((user, index): Variable => {
    const data = share(user, items, rng)
    return { name: `user_variable_${index}`, role: 'user', values: [{ ...user, data }] }
  })
  return { variables, world: { items } }
}

/** Gives a user's session a text or two in common with a stored one of its place, for queries to find. */
function share(user: Draft, items: readonly Draft[], rng: Rng): Draft['data'] {
  const near = items.filter(({ source, type }) => source === user.source && type === user.type)
  if (near.length === 0) return user.data
  const texts = leaves(rng.pick(near).data).filter(
    ({ path, value }) => typeof value === 'string' && path.at(-1) !== 'title',
  )
  return rng
    .sample(texts, rng.int(1, 2))
    .reduce<Json>((data, { path, value }) => replaced(data, path, value), user.data) as Draft['data']
}
