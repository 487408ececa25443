/** The JSON object in a model's answer. */
import { readText } from '@stateeval/answers'
import type { JsonObject } from '@stateeval/contracts'
import { findJsonObjects } from '../../python/find.ts'
import { dumpJson } from '../../python/write.ts'

/** The last one, which corrects those before it; null where there is none. */
export function parseReplyObject(reply: string): JsonObject | null {
  const last = findJsonObjects(readText(reply) ?? '').at(-1)
  if (!last) return null
  try {
    return JSON.parse(dumpJson(last, { ascii: false })) as JsonObject
  } catch {
    // NaN, which Python reads.
    return null
  }
}
