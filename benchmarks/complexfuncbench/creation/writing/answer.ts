/** The JSON object in a model's answer. */
import { isRecord, type JsonObject } from '@stateeval/contracts'
import { readFencedBlocks, readText } from '@stateeval/answers'

/** null where there is none. */
export function parseReplyObject(reply: string): JsonObject | null {
  const answer = readText(reply)
  if (answer === null) return null
  const [from, to] = [answer.indexOf('{'), answer.lastIndexOf('}')]
  const texts = [
    answer,
    ...readFencedBlocks(answer).blocks.map(({ code }) => code),
    from >= 0 && to > from ? answer.slice(from, to + 1) : '',
  ]
  for (const text of texts) {
    try {
      const value: unknown = JSON.parse(text)
      if (isRecord(value)) return value as JsonObject
    } catch {
      // The next text may be one.
    }
  }
  return null
}
