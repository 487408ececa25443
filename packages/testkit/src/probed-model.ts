/** A model that does what the questions of a probe ask for, whoever asks them. */
import { isRecord } from '@stateeval/contracts'
import type { Script, ScriptedRequest } from './scripted-model.ts'

interface NamedTool {
  function: { name: string }
}

/** The tools that it calls: the one that is named, else the first; for two cities if both are asked for. */
function callsFor({ messages, parameters }: ScriptedRequest) {
  const { tools = [], tool_choice: choice } = parameters as {
    tools?: readonly NamedTool[]
    tool_choice?: unknown
  }
  const name = isRecord(choice)
    ? (choice as unknown as NamedTool).function.name
    : (tools[0]?.function.name ?? '')
  const cities = messages.at(-1)?.content.includes('Tokyo') ? ['Paris', 'Tokyo'] : ['Paris']
  return cities.map((city) => ({ name, arguments: JSON.stringify({ city }) }))
}

export function answerProbe(request: ScriptedRequest): Extract<Script, { say: string }> {
  const { messages, parameters } = request
  const text = messages.map(({ content }) => content).join('\n') + (request.prompt ?? '')
  if (parameters['tools']) return { say: '', finish: 'tool_calls', toolCalls: callsFor(request) }
  if (parameters['response_format']) return { say: '{"greeting":"Hello."}' }
  if (text.includes('BANANA')) return { say: 'BANANA' }
  if (text.includes('Count'))
    return [parameters['max_tokens'], parameters['max_completion_tokens']].includes(16)
      ? { say: '1, 2, 3, 4, 5,', finish: 'length' }
      : { say: Array.from({ length: 100 }, (_, n) => n + 1).join(', ') }
  return { say: text.includes('2 + 3') ? '5' : 'tapir, okapi, axolotl' }
}
