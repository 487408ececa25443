/** A conversation in the published format. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import { listFunctions } from './functions.ts'

export interface SampleStep {
  name: string
  arguments: JsonObject
  /** Value of the response's `data`. */
  data: JsonValue
}
export interface SampleConversation {
  id: string
  query: string
  /** The golden path: each turn's calls with their responses. */
  turns: readonly (readonly SampleStep[])[]
  answer: string
  /** Functions that may be called besides those of the path. */
  others?: readonly string[]
}

export const call = (name: string, args: JsonObject, data: JsonValue): SampleStep => ({
  name,
  arguments: args,
  data,
})

/** One line of the file. Timestamps grow with the turns, as recorded responses have them. */
export function formatSampleLines({ id, query, turns, answer, others = [] }: SampleConversation): string {
  const names = [...new Set([...turns.flat().map(({ name }) => name), ...others])]
  const conversations: JsonValue[] = [
    { role: 'user', content: query },
    ...turns.flatMap((steps, turn): JsonValue[] => [
      {
        role: 'assistant',
        function_call: steps.map(({ name, arguments: args }) => ({ name, arguments: args })),
      },
      {
        role: 'observation',
        content: steps.map(({ data }) => ({
          status: true,
          message: 'Success',
          timestamp: 1_731_000_000_000 + turn,
          data,
        })),
      },
    ]),
    { role: 'assistant', content: answer },
  ]
  return JSON.stringify({ id, conversations, functions: listFunctions(names) })
}
