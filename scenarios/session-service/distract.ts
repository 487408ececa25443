/** Distractors: sessions of the user that no call needs, and stored sessions in their places. */
import type { RandomSource, ScenarioStart } from '@stateeval/program'
import type { SessionDraft } from './state.ts'
import { sessionTypes } from './types.ts'
import { createValues, sources } from './values.ts'

/**
 * By turns one that shares its source with a session of the program, so that a mixed-up place is found, and
 * one at a place of its own.
 */
export function distract(
  { variables, world }: ScenarioStart,
  count: number,
  rng: RandomSource,
): ScenarioStart {
  const values = createValues(rng)
  const users = variables.map((variable) => variable.values[0] as SessionDraft)
  const { items } = world as unknown as { items: SessionDraft[] }
  const isTaken = (place: Omit<SessionDraft, 'data'>, all: readonly SessionDraft[]) =>
    all.some(({ source, type }) => source === place.source && type === place.type)
  const added: SessionDraft[] = []
  const stored: SessionDraft[] = []
  for (let at = 0; at < count; at++) {
    const places = (at % 2 === 0 ? users.map(({ source }) => source) : sources)
      .flatMap((source) => sessionTypes.map((type) => ({ source, type })))
      .filter((place) => !isTaken(place, [...users, ...items, ...added]))
    if (places.length === 0) break
    const place = rng.pick(places)
    const draft = (): SessionDraft => ({ ...place, data: values.document(place.type) })
    added.push(draft())
    stored.push(...Array.from({ length: rng.int(1, 3) }, draft))
  }
  return {
    variables: added.map((session, at) => ({
      name: `user_variable_${variables.length + at}`,
      role: 'user',
      values: [session],
    })),
    world: { items: rng.shuffle([...items, ...stored]) },
  }
}
