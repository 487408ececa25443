/**
 * Long contexts: the responses of a sample's path are padded with responses of other domains, so that its
 * dialogue has about so many tokens. The path, its arguments and what they follow from stay as they are.
 */
import { isRecord, type JsonValue, type JsonObject } from '@stateeval/contracts'

/** The member of a padded response that holds the others. */
export const paddedMember = 'other_results'

interface PaddedSample {
  id: string
  conversations: { role: string; content?: JsonValue; function_call?: JsonValue }[]
  functions: JsonValue
  live?: JsonValue
}

/**
 * @param responses of other samples, by the domain of each
 * @param tokens of the whole dialogue
 * @param countTokens of a text
 * @returns the line without its live part: the world would answer without padding
 */
export function padSample(
  line: string,
  responses: readonly { domain: string; response: JsonObject }[],
  { tokens, countTokens }: { tokens: number; countTokens: (text: string) => number },
): string {
  const { live: _, ...sample } = JSON.parse(line) as PaddedSample
  const domain = sample.id.slice(0, sample.id.lastIndexOf('-'))
  const others = responses.filter((one) => one.domain !== domain && one.domain !== 'Cross')
  const bodies = sample.conversations.flatMap(({ role, content }) =>
    role === 'observation' && Array.isArray(content) ? (content.filter(isRecord) as JsonObject[]) : [],
  )
  let left = tokens - countTokens(JSON.stringify(sample))
  for (let at = 0; left > 0 && others.length > 0 && bodies.length > 0; at++) {
    const { response } = others[at % others.length]!
    const body = bodies[at % bodies.length]!
    const list = (body[paddedMember] ??= []) as JsonValue[]
    list.push(response['data'] ?? null)
    left -= countTokens(JSON.stringify(response['data'] ?? null))
  }
  return JSON.stringify(sample)
}
