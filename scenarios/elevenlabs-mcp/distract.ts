/** Distractors: texts, recordings and people that no call needs. */
import type { JsonValue } from '@stateeval/contracts'
import type { RandomSource, ScenarioStart } from '@stateeval/program'
import { createRecorded } from './speech.ts'
import { drawAnnouncement, drawContacts, drawMessage } from './values.ts'

/** By turns a text, a recording and somebody to call. */
export function distract(
  { variables, world }: ScenarioStart,
  count: number,
  rng: RandomSource,
): ScenarioStart {
  const seen = new Set(variables.map(({ values }) => JSON.stringify(values[0])))
  const draw = [
    () => drawAnnouncement(rng),
    () => createRecorded(drawMessage(rng), rng.chance(0.3)),
    () => drawContacts(rng, 1)[0] as JsonValue,
  ]
  const values: JsonValue[] = []
  for (let attempt = 0; values.length < count && attempt < 20 * count; attempt++) {
    const value = (draw[values.length % draw.length] as () => JsonValue)()
    const key = JSON.stringify(value)
    if (seen.has(key)) continue
    seen.add(key)
    values.push(value)
  }
  return {
    variables: values.map((value, at) => ({
      name: `user_variable_${variables.length + at}`,
      role: 'user',
      values: [value],
    })),
    world,
  }
}
