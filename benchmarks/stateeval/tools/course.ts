/** How the dialogue about one input went. */
import { type Observation, findRefusal, type Transcript } from '@stateeval/contracts'
import type { ToolDecision } from './episode.ts'
import { resultTool } from './result-tool.ts'

export interface ToolCourse {
  /** Its place among the inputs of the case. */
  input: number
  replies: number
  /** Calls of APIs, and those of all calls that were refused. */
  calls: number
  wrong: number
  /** Why it ended: RESULT was submitted, a limit was reached, or the model had nothing more to call. */
  ended: 'submitted' | 'limit' | 'silent'
  /** The limit, in words. */
  limit?: string
}

export function buildCourse(
  input: number,
  { messages }: Transcript,
  observation: Observation | undefined,
  { limit, wrong = 0 }: ToolDecision,
): ToolCourse {
  const replies = messages.filter((message) => message.role === 'assistant')
  const calls = replies.flatMap(({ toolCalls = [] }) => toolCalls)
  const isEnded = observation?.ending.status === 'completed'
  return {
    input,
    replies: replies.length,
    calls: calls.filter(({ name }) => name !== resultTool).length,
    wrong:
      wrong + messages.filter(({ role, content }) => role === 'tool' && findRefusal(content) !== null).length,
    ended: limit !== undefined ? 'limit' : isEnded ? 'submitted' : 'silent',
    ...(limit !== undefined && { limit }),
  }
}
