/** RandomInit: the user's own sessions and those that the service holds already (Algorithm 1, line 2). */
import type { JsonValue, Variable } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import type { SessionDraft } from './state.ts'
import { sessionTypes } from './types.ts'
import { createValues, sources } from './values.ts'

/**
 * Draws 2 or 3 user variables, each with its own place, and 7 to 11 remote items. The first variable's source
 * and type hit four or five items, the second's three, so that a query of either finds several and leaves
 * others, also once one was changed or deleted.
 */
export function start(rng: RandomSource): { variables: Variable[]; world: JsonValue } {
  const values = createValues(rng)
  const kinds = rng.sample(sessionTypes, 3)
  const places = rng.sample(sources, 3).map((source, index) => ({ source, type: kinds[index] as string }))
  // Now and then two places differ in source or type only: mixing these up must show.
  if (rng.chance(0.5)) (places[1] as SessionDraft).type = kinds[0] as string
  else if (rng.chance(0.3)) (places[1] as SessionDraft).source = (places[0] as SessionDraft).source
  const [first, second, other] = places as [SessionDraft, SessionDraft, SessionDraft]
  // The third is a place of its own that differs from the first in both, in source only or in type only.
  const third = rng.pick([other, { ...other, source: first.source }, { ...other, type: first.type }])
  const draft = ({ source, type }: Omit<SessionDraft, 'data'>): SessionDraft => ({
    source,
    type,
    data: values.document(type),
  })

  const drafts = [
    ...Array.from({ length: rng.int(4, 5) }, () => first),
    ...Array.from({ length: rng.int(3, 4) }, () => second),
    ...Array.from({ length: rng.int(0, 2) }, () => third),
  ]
  const items = rng.shuffle(drafts).map(draft)
  const users = [first, second, ...(rng.chance(0.5) ? [third] : [])].map(draft)
  const variables = users.map((user, index): Variable => ({
    name: `user_variable_${index}`,
    role: 'user',
    values: [user],
  }))
  return { variables, world: { items } }
}
