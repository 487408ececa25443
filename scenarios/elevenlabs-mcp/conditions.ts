/**
 * The properties of a variable that an if may test: how many voices were found and what they are for, what a
 * speech is like, what a transcript says.
 */
import type { JsonValue } from '@stateeval/contracts'
import type { ScopeBinding, ValuePath, RandomSource, TestableProperty } from '@stateeval/program'
import { isSpeech, isTranscript, isVoice, type SpeechValue, type LibraryVoice } from './types.ts'
import { categories, genders, voiceNames } from './values.ts'

const testEquality = (path: ValuePath, value: JsonValue, other: JsonValue): TestableProperty => ({
  path,
  measure: 'value',
  value,
  other,
})
function drawAnother(all: readonly string[], value: string, rng: RandomSource): string {
  const index = all.indexOf(value)
  if (index < 0) return rng.pick(all)
  const draw = rng.int(0, all.length - 2)
  return all[draw < index ? draw : draw + 1] as string
}
const chooseNear = (value: number, rng: RandomSource) =>
  value > 1 && rng.chance(0.5) ? value - 1 : value + 1

/**
 * All results of a search share the term that it searched by, so only their other properties are worth a
 * condition.
 */
function listVoiceConditions(
  voices: readonly LibraryVoice[],
  terms: ReadonlySet<string>,
  rng: RandomSource,
): TestableProperty[] {
  const isKnown = (part: string) => terms.has(part) || terms.has('search_name')
  const all = voices.flatMap(({ category, gender, voice_name }, index) => [
    ...(isKnown('search_category')
      ? []
      : [testEquality([index, 'category'], category, drawAnother(categories, category, rng))]),
    ...(isKnown('search_gender')
      ? []
      : [testEquality([index, 'gender'], gender, drawAnother(genders, gender, rng))]),
    ...(terms.has('search_name')
      ? []
      : [testEquality([index, 'voice_name'], voice_name, drawAnother(voiceNames, voice_name, rng))]),
  ])
  const count: TestableProperty = {
    path: [],
    measure: 'count',
    value: voices.length,
    other: chooseNear(voices.length, rng),
  }
  const shuffled = rng.shuffle(all)
  if (terms.has('search_name'))
    return [
      testEquality(
        [0, 'category'],
        voices[0]?.category ?? '',
        drawAnother(categories, voices[0]?.category ?? '', rng),
      ),
    ]
  return rng.chance(0.4) ? [count, ...shuffled] : [...shuffled, count]
}

/**
 * Leaves out what the program itself has set about a speech: the voice that it names, and the isolation that
 * tools give their outputs.
 */
function listSpeechConditions(
  { is_isolated, duration, voice_name }: SpeechValue,
  call: ScopeBinding['call'],
  rng: RandomSource,
): TestableProperty[] {
  const testables = [testEquality(['duration'], duration, chooseNear(duration, rng))]
  if (!call || call.api === 'speech_to_speech')
    testables.push(testEquality(['is_isolated'], is_isolated, !is_isolated))
  if (voice_name !== null && call?.args.voice_name?.kind !== 'literal')
    testables.push(testEquality(['voice_name'], voice_name, drawAnother(voiceNames, voice_name, rng)))
  return rng.shuffle(testables)
}

export function listStudioConditions({ value, call }: ScopeBinding, rng: RandomSource): TestableProperty[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isVoice))
    return listVoiceConditions(value, new Set(Object.keys(call?.args ?? {})), rng)
  if (isSpeech(value)) return listSpeechConditions(value, call, rng)
  if (isTranscript(value))
    return [testEquality(['word_count'], value.word_count, chooseNear(value.word_count, rng))]
  return []
}
