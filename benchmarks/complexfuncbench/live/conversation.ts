/** The conversation of a case whose responses are the world's: made by walking its path there. */
import type { JsonValue, JsonObject } from '@stateeval/contracts'
import type { ComplexCase } from '../case.ts'
import type { SampleConversation } from '../conversation/conversation.ts'
import { readConversation } from '../conversation/read.ts'
import { buildFunctionSchema } from '../travel/function.ts'
import { findFunction } from '../travel/functions.ts'
import { ask, openTravel } from '../travel/world.ts'

/** Null where the case has its own line. Throws BadSample where the path does not fit the world. */
export function findLiveConversation({
  id,
  instruction,
  task,
  artifacts,
}: ComplexCase): SampleConversation | null {
  const { live, turns } = task
  if (artifacts?.length || !live?.answer || !live.functions) return null
  let state = openTravel(live.world)
  const messages = turns.flatMap((round): JsonValue[] => {
    const calls = round.map(({ name, arguments: text }) => ({
      name,
      arguments: JSON.parse(text) as JsonObject,
    }))
    const responses = calls.map(({ name, arguments: args }) => {
      const outcome = ask(state, name, args)
      state = outcome.state
      return outcome.body
    })
    return [
      { role: 'assistant', function_call: calls },
      { role: 'observation', content: responses },
    ]
  })
  const functions = live.functions
    .flatMap((name) => findFunction(name) ?? [])
    .map((fn) => buildFunctionSchema(fn))
  return readConversation(
    JSON.stringify({
      id,
      conversations: [
        { role: 'user', content: instruction },
        ...messages,
        { role: 'assistant', content: live.answer },
      ],
      functions,
    }),
  )
}
