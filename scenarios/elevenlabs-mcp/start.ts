/**
 * RandomInit: what the user has (texts, recordings, a wish for a voice, people to call) and the voice library
 * (Algorithm 1, line 2).
 */
import type { JsonValue, Variable } from '@stateeval/contracts'
import type { RandomSource } from '@stateeval/program'
import { createRecorded } from './speech.ts'
import type { InitialStudio } from './state.ts'
import { drawAnnouncement, drawContacts, drawLibrary, drawMessage } from './values.ts'

/**
 * Draws one or two texts, one or two recordings of which one is noisy, a wish that some voice meets, and
 * somebody to call: each tool can come first.
 */
export function start(rng: RandomSource): { variables: Variable[]; world: JsonValue } {
  const voices = drawLibrary(rng)
  const [texts, recordings] = rng.pick([
    [1, 1],
    [2, 1],
    [1, 2],
  ] as const)
  const { category, gender } = rng.pick(drawNarrowed(voices))
  const values: JsonValue[] = [
    ...drawDistinct(texts, () => drawAnnouncement(rng)),
    ...drawDistinct(recordings, () => drawMessage(rng)).map((text, index) =>
      createRecorded(text, index > 0 && rng.chance(0.3)),
    ),
    { search_category: category, search_gender: gender },
    ...drawContacts(rng, rng.chance(0.3) ? 2 : 1),
  ]
  const variables = values.map((value, index): Variable => ({
    name: `user_variable_${index}`,
    role: 'user',
    values: [value],
  }))
  return { variables, world: { voices: voices.map((voice) => ({ ...voice })) } }
}

/**
 * Voices that neither their category nor their gender alone would bring first: so both parts of a wish for
 * one matter.
 */
function drawNarrowed(voices: InitialStudio['voices']): InitialStudio['voices'] {
  const sorted = voices.toSorted((a, b) => (a.voice_name < b.voice_name ? -1 : 1))
  const firstOf = (fits: (voice: InitialVoice) => boolean) => sorted.find(fits)?.voice_name
  const some = voices.filter(({ category, gender }) => {
    const first = firstOf((voice) => voice.category === category && voice.gender === gender)
    return (
      first !== firstOf((voice) => voice.category === category) &&
      first !== firstOf((voice) => voice.gender === gender)
    )
  })
  return some.length > 0 ? some : voices
}
type InitialVoice = InitialStudio['voices'][number]

function drawDistinct(count: number, draw: () => string): string[] {
  const texts = new Set<string>()
  while (texts.size < count) texts.add(draw())
  return [...texts]
}
