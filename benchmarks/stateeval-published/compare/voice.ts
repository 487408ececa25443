/** Voices: RESULT and the calls placed, as the released evaluator compares them and as `sound` does. */
import type { JsonValue } from '@stateeval/contracts'
import type { ReportedValue } from '../run/report.ts'
import { type ValueComparison, createComparison, createDifference, createRaise, same } from './judgement.ts'
import {
  isEqualValue,
  isDict,
  isSpeech,
  findItems,
  findNumber,
  isSameBag,
  describeDifference,
  describeValue,
  toTruthValue,
} from './value.ts'

const closeEnough = 1e-6
const numbers = ['stability', 'similarity_boost', 'style', 'duration'] as const
type SpeechFields = Readonly<Record<string, ReportedValue>>

/** Text and voice exactly; numbers within 1e-6, None only as None; the history entry by entry. */
export function isSameSpeech(a: SpeechFields, b: SpeechFields): boolean {
  const field = (name: string): [ReportedValue, ReportedValue] => [a[name] ?? null, b[name] ?? null]
  const sameNumber = (name: string) => {
    const [one, two] = field(name).map(findNumber) as [number | null, number | null]
    return one === null || two === null ? isEqualValue(...field(name)) : Math.abs(one - two) <= closeEnough
  }
  const [ours, theirs] = field('transitions').map(findItems) as [
    ReportedValue[] | null,
    ReportedValue[] | null,
  ]
  return (
    isEqualValue(...field('text')) &&
    isEqualValue(...field('voice_name')) &&
    numbers.every(sameNumber) &&
    (ours?.length ?? -1) === (theirs?.length ?? -2) &&
    ours!.every((entry, at) => isEqualValue(entry, theirs![at]!, { tuples: true }))
  )
}

/** A speech is compared with a speech only, everything else by `==`. */
const createItemComparison = (tuples: boolean) => (a: ReportedValue, b: ReportedValue) =>
  isSpeech(a) || isSpeech(b)
    ? isSpeech(a) && isSpeech(b) && isSameSpeech(a.speech, b.speech)
    : isEqualValue(a, b, { tuples })

/** Lists the items that `for` visits; null where `len` raises. */
function findElements(value: ReportedValue): ReportedValue[] | null {
  if (typeof value === 'string') return [...value]
  if (isDict(value)) return value.dict.map(([key]) => key)
  return findItems(value)
}

/**
 * The released rule: a list is compared in any order; a RESULT without a length then ends the evaluator's own
 * code.
 */
export function compareVoicePublished(truth: JsonValue, result: ReportedValue | undefined): ValueComparison {
  return judgeVoice(truth, result, false)
}

/** The same, where what is no list is another RESULT, and a tuple is the list that truths keep of it. */
export function compareVoiceSound(truth: JsonValue, result: ReportedValue | undefined): ValueComparison {
  return judgeVoice(truth, result, true)
}

function judgeVoice(truth: JsonValue, result: ReportedValue | undefined, sound: boolean): ValueComparison {
  if (result === undefined)
    return truth === null
      ? same
      : createDifference(`RESULT is missing; expected: ${describeValue(toTruthValue(truth))}`)
  const expected = toTruthValue(truth)
  const says = () => `RESULT is ${describeDifference(result, expected)}`
  const expectedItems = findItems(expected)
  if (!expectedItems) return createComparison(createItemComparison(sound)(result, expected), says)
  const actualItems = sound ? findItems(result) : findElements(result)
  if (!actualItems)
    return sound
      ? createDifference(says())
      : createRaise('evaluator', `TypeError: RESULT is ${describeValue(result)}, which has no length`)
  return createComparison(
    isSameBag(expectedItems, actualItems, createItemComparison(sound)),
    () => `${says()}, in any order`,
  )
}

const listTuples = (calls: readonly [ReportedValue, ReportedValue][]): ReportedValue => ({
  list: calls.map((call) => ({ tuple: call })),
})

/** The calls in any order: the voice, and the speech as it is at the end of the run. */
export function compareCalls(
  truth: readonly { speech: JsonValue; voice: JsonValue }[],
  calls: readonly [ReportedValue, ReportedValue][],
): ValueComparison {
  const expectedCalls = truth.map(({ speech, voice }): [ReportedValue, ReportedValue] => [
    toTruthValue(speech),
    toTruthValue(voice),
  ])
  const alike = createItemComparison(true)
  return createComparison(
    isSameBag(
      expectedCalls,
      calls,
      ([speech, voice], [other, name]) => isEqualValue(voice, name) && alike(speech, other),
    ),
    () =>
      `${calls.length} calls were placed: ${describeDifference(listTuples(calls), listTuples(expectedCalls))}`,
  )
}
