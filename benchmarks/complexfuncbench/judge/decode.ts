/** A judge's answer as the released code decodes it (README, Published behaviour 8). */
import { NoJson, readJson } from '../python/read.ts'
import { type Dict, equal, isDict } from '../python/value.ts'

/** Python's str.strip with a set of characters. */
function strip(text: string, characters: string): string {
  let [begin, end] = [0, text.length]
  while (begin < end && characters.includes(text[begin]!)) begin++
  while (end > begin && characters.includes(text[end - 1]!)) end--
  return text.slice(begin, end)
}

/**
 * null where the answer is no JSON object. A text in front of the fence makes it fail, as it does upstream.
 */
export function decodeAnswer(text: string): Dict | null {
  const bare = strip(strip(strip(text, '`JSON\n'), '`json\n'), '\n`')
    .replaceAll('\n', '')
    .replaceAll('False', 'false')
    .replaceAll('True', 'true')
  try {
    const value = readJson(bare)
    return isDict(value) ? value : null
  } catch (error) {
    if (error instanceof NoJson) return null
    throw error
  }
}

/** 0, 1 or 2, as Python compares: 1.0 and true are 1. null where the score is none of them. */
export function scoreIn(answer: Dict): number | null {
  const score = answer.get('score')
  if (score === undefined) return null
  return (
    [0n, 1n, 2n].map((one) => (equal(score, one) ? Number(one) : null)).find((one) => one !== null) ?? null
  )
}

export function reasonIn(answer: Dict): string {
  const reason = answer.get('reason')
  return typeof reason === 'string' ? reason : ''
}
