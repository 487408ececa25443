/** Tokens that a reply used, by each vendor's way of counting. */
import type { ModelToolCall, Usage } from '@stateeval/contracts'
import { estimateCompletionTokens, estimatePromptTokens, estimateTokens } from '../estimate.ts'
import type { ModelRequest } from '../request.ts'

/** More tokens than one request has: a larger count would spoil the sums and the rates. */
const maxTokens = 1e9
/** A number of tokens that an endpoint reports, if it is one. */
export const count = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= maxTokens ? Math.trunc(value) : null

type UsageMembers = Readonly<Record<string, unknown>>
const readUsageMembers = (value: unknown): UsageMembers =>
  typeof value === 'object' && value !== null ? (value as UsageMembers) : {}
const sum = (...values: unknown[]) => values.reduce<number>((total, one) => total + (count(one) ?? 0), 0)

/** Parts of a reply that its endpoint did not count, for estimates. */
interface UncountedUsage {
  text: string
  toolCalls: readonly ModelToolCall[]
  /** Characters of thoughts that came beside the text. */
  thoughts: number
}

/**
 * The usage of one reply. Most vendors count thoughts within the completion (OpenAI, DeepSeek); others beside
 * it, so that only the total contains them (xAI, Google). Some count cached prompt tokens only in the total
 * (Bedrock). A count of 0 for a real answer is no count, so it is estimated.
 */
export function usageFrom(
  reported: unknown,
  request: ModelRequest,
  { text, toolCalls, thoughts }: UncountedUsage,
): { usage: Usage } {
  const usage = readUsageMembers(reported)
  const prompt = count(usage['prompt_tokens'] ?? usage['input_tokens']) ?? 0
  const completion = count(usage['completion_tokens'] ?? usage['output_tokens']) ?? 0
  const total = count(usage['total_tokens'])
  const reasoning = sum(
    readUsageMembers(usage['completion_tokens_details'])['reasoning_tokens'] ?? usage['reasoning_tokens'],
  )
  const cached = sum(usage['cache_read_input_tokens'], usage['cache_creation_input_tokens'])
  const beyond =
    total === null || prompt === 0 || completion === 0 ? 0 : Math.max(0, total - prompt - completion)
  const cachedBeside = beyond >= cached ? cached : 0
  const beside = total === null ? (reasoning > completion ? reasoning : 0) : beyond - cachedBeside
  const hasAnswer = text !== '' || toolCalls.length > 0 || thoughts > 0
  const isEstimated = prompt === 0 || (completion + beside === 0 && hasAnswer)
  return {
    usage: {
      requests: 1,
      promptTokens: prompt === 0 ? estimatePromptTokens(request) : prompt + cachedBeside,
      completionTokens:
        completion + beside === 0 && hasAnswer
          ? estimateCompletionTokens(text, toolCalls) + estimateTokens(thoughts)
          : completion + beside,
      ...(isEstimated && { estimated: 1 }),
    },
  }
}

/** Told what a reply used, as soon as it is known, even if the reply is of no use. */
export type UsageListener = (spent: { usage: Usage }) => void
