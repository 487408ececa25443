/** Estimates tokens that were not counted: about four characters each in English text and code. */
import type { ModelToolCall } from '@stateeval/contracts'
import type { ModelRequest } from './request.ts'

const charactersPerToken = 4
export const tokensIn = (characters: number) => Math.ceil(characters / charactersPerToken)
export const tokensOf = (text: string) => tokensIn(text.length)
/** The tokens of an answer: its text, and its calls as JSON. */
export const completionTokens = (text: string, toolCalls: readonly ModelToolCall[]) =>
  tokensOf(text) + (toolCalls.length > 0 ? tokensOf(JSON.stringify(toolCalls)) : 0)
/** The tokens of a request: its messages, and its tools as JSON. */
export const promptTokens = ({ messages, tools }: ModelRequest) =>
  messages.reduce(
    (sum, message) =>
      sum +
      tokensOf(message.content) +
      (message.role === 'assistant' && message.toolCalls ? tokensOf(JSON.stringify(message.toolCalls)) : 0),
    0,
  ) + (tools ? tokensOf(JSON.stringify(tools)) : 0)
