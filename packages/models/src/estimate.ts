/** Estimates tokens that were not counted: about four characters each in English text and code. */
import type { ModelToolCall } from '@stateeval/contracts'
import type { ModelRequest } from './request.ts'

const charactersPerToken = 4
export const estimateTokens = (characters: number) => Math.ceil(characters / charactersPerToken)
const estimateTextTokens = (text: string) => estimateTokens(text.length)
/** The tokens of an answer: its text, and its calls as JSON. */
export const estimateCompletionTokens = (text: string, toolCalls: readonly ModelToolCall[]) =>
  estimateTextTokens(text) + (toolCalls.length > 0 ? estimateTextTokens(JSON.stringify(toolCalls)) : 0)
/** The tokens of a request: its messages, and its tools as JSON. */
export const estimatePromptTokens = ({ messages, tools }: ModelRequest) =>
  messages.reduce(
    (sum, message) =>
      sum +
      estimateTextTokens(message.content) +
      (message.role === 'assistant' && message.toolCalls
        ? estimateTextTokens(JSON.stringify(message.toolCalls))
        : 0),
    0,
  ) + (tools ? estimateTextTokens(JSON.stringify(tools)) : 0)
