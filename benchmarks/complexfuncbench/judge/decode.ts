/** A judge's answer as the released code decodes it (README, Published behaviour 8). */
import { readText } from '@stateeval/answers'
import { findJsonObjects } from '../python/find.ts'
import { NoJson, readJson } from '../python/read.ts'
import { type PythonDict, arePythonEqual, isDict, isTrue } from '../python/value.ts'

/** Python's str.strip with a set of characters. */
function strip(text: string, characters: string): string {
  let [begin, end] = [0, text.length]
  while (begin < end && characters.includes(text[begin]!)) begin++
  while (end > begin && characters.includes(text[end - 1]!)) end--
  return text.slice(begin, end)
}

/** Python's words, as models write them. */
const replacePythonWords = (text: string) => text.replaceAll('False', 'false').replaceAll('True', 'true')

/**
 * null where the answer is no JSON object. A text in front of the fence makes it fail, as it does upstream.
 */
export function decodeAnswer(text: string): PythonDict | null {
  const bare = strip(strip(strip(text, '`JSON\n'), '`json\n'), '\n`').replaceAll('\n', '')
  try {
    const value = readJson(replacePythonWords(bare))
    return isDict(value) ? value : null
  } catch (error) {
    if (error instanceof NoJson) return null
    throw error
  }
}

/**
 * The judgement in an answer as a reader finds it: after a thought or prose, in a fence, the last one that
 * has the member. null where there is none.
 */
export function findAnswer(text: string, member: string): PythonDict | null {
  const whole = decodeAnswer(text)
  if (whole?.has(member)) return whole
  const meant = readText(text)
  return (
    (meant === null
      ? undefined
      : findJsonObjects(replacePythonWords(meant)).findLast((one) => one.has(member))) ?? null
  )
}

/**
 * Tells whether two calls are equal, as Python takes what the judge says: any text is true. null: it says
 * nothing.
 */
export function readPublishedOpinion(answer: PythonDict): boolean | null {
  const says = answer.get('is_equal')
  return says === undefined ? null : isTrue(says)
}

/** Tells whether two calls are equal; null where the judge says neither true nor false. */
export function readSoundOpinion(answer: PythonDict): boolean | null {
  const says = answer.get('is_equal')
  const word = typeof says === 'string' ? says.trim().toLowerCase() : says
  return word === true || word === 'true' ? true : word === false || word === 'false' ? false : null
}

/** 0, 1 or 2, as Python compares: 1.0 and true are 1. null where the score is none of them. */
export function readScore(answer: PythonDict): number | null {
  const score = answer.get('score')
  if (score === undefined) return null
  return (
    [0n, 1n, 2n]
      .map((one) => (arePythonEqual(score, one) ? Number(one) : null))
      .find((one) => one !== null) ?? null
  )
}

export function readReason(answer: PythonDict): string {
  const reason = answer.get('reason')
  return typeof reason === 'string' ? reason : ''
}
