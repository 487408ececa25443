/**
 * A model behind an endpoint that knows what the reference does: it solves every other case, and gets the
 * rest wrong. So what a trainer is told can be compared with what an evaluation says of the same answers.
 */
import { benchmarks } from '@stateeval/benchmarks'
import type { Case, Message } from '@stateeval/contracts'
import { scenarios } from '@stateeval/scenarios'
import { type Script, type ScriptedRequest } from '@stateeval/testkit'

const host = { scenario: (id: string) => scenarios.find((one) => one.id === id)! }
const stateEval = benchmarks.map((make) => make(host)).find(({ kind }) => kind === 'stateeval')!

/** How an adapter with one conversation says that the next one of the case begins. */
const nextPart = 'The next part of the task begins.'

/** The conversation that waits, where an adapter puts those of a case one after the other. */
function waiting(messages: Message[]): Message[] {
  const at = messages.findLastIndex(({ content }) => content.startsWith(nextPart))
  return at < 0 ? messages : [{ role: 'user', content: messages[at]!.content }, ...messages.slice(at + 1)]
}

interface Spoken {
  role: string
  content: string | null
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}
/** As the benchmark knows messages; an endpoint is sent no content beside calls. */
const fromOpenAi = ({ role, content, tool_call_id: of, tool_calls: calls }: Spoken) =>
  ({
    role,
    content: content ?? '',
    ...(of !== undefined && { toolCallId: of }),
    ...(calls && { toolCalls: calls.map(({ id, function: called }) => ({ id, ...called })) }),
  }) as Message

/** Answers in either mode: by tools where the request offers some. */
export function answersOf(cases: readonly Case[]) {
  return ({ messages: given, parameters }: ScriptedRequest): Script => {
    const all = (given as Spoken[]).map(fromOpenAi)
    const text = all.map(({ content }) => content).join('\n')
    const at = cases.findIndex(({ instruction }) => text.includes(instruction.trim()))
    const c = cases[at]
    if (!c) return { say: 'I do not know.' }
    const isRight = at % 2 === 0
    if (!parameters['tools']) {
      const player = stateEval.player(c, { mode: 'program', prompting: 'direct' })!
      return {
        say: isRight ? player({ role: 'model', messages: all })!.text : '```javascript\nRESULT = {}\n```',
      }
    }
    // An adapter may ask once more after the end.
    if (/The task is over\.$/.test(all.at(-1)!.content)) return { say: 'Done.' }
    if (!isRight) return { say: '', toolCalls: [{ name: 'submit_result', arguments: '{"nothing": 1}' }] }
    const player = stateEval.player(c, { mode: 'tools', prompting: 'direct' })!
    const { text: say, toolCalls } = player({ role: 'model', messages: waiting(all) })!
    return {
      say,
      ...(toolCalls && {
        toolCalls: toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args })),
      }),
    }
  }
}
