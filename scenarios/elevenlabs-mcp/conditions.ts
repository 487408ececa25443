/**
 * The properties of a variable that an if may test: how many voices were found and what they are for, what a
 * speech is like, what a transcript says.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { Binding, Path, Rng, Testable } from '@stateeval/program'
import { isSpeech, isTranscript, isVoice, type Speech, type Voice } from './types.ts'
import { categories, genders, voiceNames } from './values.ts'

const equals = (path: Path, value: JsonValue, other: JsonValue): Testable => ({
  path,
  measure: 'value',
  value,
  other,
})
function another(all: readonly string[], value: string, rng: Rng): string {
  const index = all.indexOf(value)
  if (index < 0) return rng.pick(all)
  const draw = rng.int(0, all.length - 2)
  return all[draw < index ? draw : draw + 1] as string
}
const near = (value: number, rng: Rng) => (value > 1 && rng.chance(0.5) ? value - 1 : value + 1)

/** The term of a search is known of all that it found, so only the rest is worth asking. */
function ofVoices(voices: readonly Voice[], terms: ReadonlySet<string>, rng: Rng): Testable[] {
  const isKnown = (part: string) => terms.has(part) || terms.has('search_name')
  const all = voices.flatMap(({ category, gender, voice_name }, index) => [
    ...(isKnown('search_category')
      ? []
      : [equals([index, 'category'], category, another(categories, category, rng))]),
    ...(isKnown('search_gender') ? [] : [equals([index, 'gender'], gender, another(genders, gender, rng))]),
    ...(terms.has('search_name')
      ? []
      : [equals([index, 'voice_name'], voice_name, another(voiceNames, voice_name, rng))]),
  ])
  const count: Testable = {
    path: [],
    measure: 'count',
    value: voices.length,
    other: near(voices.length, rng),
  }
  const shuffled = rng.shuffle(all)
  if (terms.has('search_name'))
    return [
      equals([0, 'category'], voices[0]?.category ?? '', another(categories, voices[0]?.category ?? '', rng)),
    ]
  return rng.chance(0.4) ? [count, ...shuffled] : [...shuffled, count]
}

/**
 * Text about a speech is no question: a voice that it names, and that tools isolate
 * what they make.
 */
function ofSpeech(
  { is_isolated, duration, voice_name }: Speech,
  call: Binding['call'],
  rng: Rng,
): Testable[] {
  const testables = [equals(['duration'], duration, near(duration, rng))]
  if (!call || call.api === 'speech_to_speech')
    testables.push(equals(['is_isolated'], is_isolated, !is_isolated))
  if (voice_name !== null && call?.args.voice_name?.kind !== 'literal')
    testables.push(equals(['voice_name'], voice_name, another(voiceNames, voice_name, rng)))
  return rng.shuffle(testables)
}

export function conditions({ value, call }: Binding, rng: Rng): Testable[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isVoice))
    return ofVoices(value, new Set(Object.keys(call?.args ?? {})), rng)
  if (isSpeech(value)) return ofSpeech(value, call, rng)
  if (isTranscript(value)) return [equals(['word_count'], value.word_count, near(value.word_count, rng))]
  return []
}
