/** Voices: RESULT and the calls placed, as the released evaluator compares them and as `sound` does. */
import type { JsonValue } from '@stateeval/contracts'
import type { Value } from '../run/report.ts'
import { type Compared, compared, differs, raises, same } from './judgement.ts'
import { equal, isDict, isSpeech, itemsOf, numberOf, sameBag, valueText, valueOf } from './value.ts'

const closeEnough = 1e-6
const numbers = ['stability', 'similarity_boost', 'style', 'duration'] as const
type Speech = Readonly<Record<string, Value>>

/** Text and voice exactly; numbers within 1e-6, None only as None; the history entry by entry. */
export function sameSpeech(a: Speech, b: Speech): boolean {
  const field = (name: string): [Value, Value] => [a[name] ?? null, b[name] ?? null]
  const sameNumber = (name: string) => {
    const [one, two] = field(name).map(numberOf) as [number | null, number | null]
    return one === null || two === null ? equal(...field(name)) : Math.abs(one - two) <= closeEnough
  }
  const [ours, theirs] = field('transitions').map(itemsOf) as [Value[] | null, Value[] | null]
  return (
    equal(...field('text')) &&
    equal(...field('voice_name')) &&
    numbers.every(sameNumber) &&
    (ours?.length ?? -1) === (theirs?.length ?? -2) &&
    ours!.every((entry, at) => equal(entry, theirs![at]!, { tuples: true }))
  )
}

/** A speech is compared with a speech only, everything else by `==`. */
const sameItem = (tuples: boolean) => (a: Value, b: Value) =>
  isSpeech(a) || isSpeech(b)
    ? isSpeech(a) && isSpeech(b) && sameSpeech(a.speech, b.speech)
    : equal(a, b, { tuples })

/** Lists the items that `for` visits; null where `len` raises. */
function elements(value: Value): Value[] | null {
  if (typeof value === 'string') return [...value]
  if (isDict(value)) return value.dict.map(([key]) => key)
  return itemsOf(value)
}

/**
 * The released rule: a list is compared in any order; a RESULT without a length then ends the evaluator's own
 * code.
 */
export function publishedResult(truth: JsonValue, result: Value | undefined): Compared {
  return judged(truth, result, false)
}

/** The same, where what is no list is another RESULT, and a tuple is the list that truths keep of it. */
export function soundResult(truth: JsonValue, result: Value | undefined): Compared {
  return judged(truth, result, true)
}

function judged(truth: JsonValue, result: Value | undefined, sound: boolean): Compared {
  if (result === undefined)
    return truth === null ? same : differs(`RESULT is missing; expected: ${valueText(valueOf(truth))}`)
  const expected = valueOf(truth)
  const says = () => `RESULT is ${valueText(result)}; expected: ${valueText(expected)}`
  const expectedItems = itemsOf(expected)
  if (!expectedItems) return compared(sameItem(sound)(result, expected), says)
  const actualItems = sound ? itemsOf(result) : elements(result)
  if (!actualItems)
    return sound
      ? differs(says())
      : raises('evaluator', `TypeError: RESULT is ${valueText(result)}, which has no length`)
  return compared(sameBag(expectedItems, actualItems, sameItem(sound)), () => `${says()}, in any order`)
}

/** The calls in any order: the voice, and the speech as it is at the end of the run. */
export function state(
  truth: readonly { speech: JsonValue; voice: JsonValue }[],
  calls: readonly [Value, Value][],
): Compared {
  const expectedCalls = truth.map(({ speech, voice }): [Value, Value] => [valueOf(speech), valueOf(voice)])
  const alike = sameItem(true)
  return compared(
    sameBag(
      expectedCalls,
      calls,
      ([speech, voice], [other, name]) => equal(voice, name) && alike(speech, other),
    ),
    () =>
      `${calls.length} calls were placed: ${valueText({ list: calls.map((call) => ({ tuple: call })) })}; expected: ${valueText({ list: expectedCalls.map((call) => ({ tuple: call })) })}`,
  )
}
