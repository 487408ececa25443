/** From what came over the wire to an answer, or to the knowledge that it is none. */
import type { ModelToolCall } from '@stateeval/contracts'
import { Unusable } from '../classify.ts'
import { promptTokens, tokensOf } from '../estimate.ts'
import type { ModelAnswer, ModelRequest } from '../request.ts'

export interface Raw {
  text: string
  calls: ModelToolCall[]
  finish: string
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined
}

const count = (value: unknown, otherwise: number) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : otherwise

/**
 * An empty answer that simply stopped is the endpoint's failure and asked for again. One that was cut at its length or
 * filtered is what the model gave, and is scored.
 */
export function answerFrom({ text, calls, finish, usage }: Raw, request: ModelRequest): ModelAnswer {
  const found = calls.filter((call) => call !== undefined)
  if (text.trim() === '' && found.length === 0 && finish !== 'length' && finish !== 'content_filter')
    throw new Unusable('the endpoint’s answer is empty')
  return {
    text,
    ...(found.length > 0 && { toolCalls: found }),
    finish,
    usage: {
      requests: 1,
      promptTokens: count(usage?.prompt_tokens, promptTokens(request)),
      completionTokens: count(usage?.completion_tokens, tokensOf(text)),
    },
  }
}
