/**
 * Everybody whom a dialogue asks, scripted: the model under test, the judge, the user, the embeddings model,
 * the live API.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Message, SpeakerReply } from '@stateeval/contracts'
import { type Script, type ScriptedRequest, startScriptedModel } from '@stateeval/testkit'
import type { DialogueCase } from '../../packages/testkit/src/dialogue/case.ts'
import { player } from '../../packages/testkit/src/dialogue/player.ts'

const scripted = ({ text, toolCalls, finish }: SpeakerReply): Script => ({
  say: text,
  finish,
  ...(toolCalls && {
    toolCalls: toolCalls.map(({ name, arguments: argumentText }) => ({ name, arguments: argumentText })),
  }),
})
const call = (name: string, args: string): Script => ({
  say: '',
  finish: 'tool_calls',
  toolCalls: [{ name, arguments: args }],
})

/** Ways to be wrong, with the verdict that each ends in; null: not scored. The first is right. */
export const ways = [
  ['right', 'passed'],
  ['calls an unknown tool, then the right ones', 'passed'],
  ['writes arguments that are no JSON, then the right ones', 'passed'],
  ['adds other sessions', 'wrong_state'],
  ['calls nothing', 'wrong_state'],
  ['calls without end', 'wrong_state'],
  ['says a wrong number', 'wrong_answer'],
  ['is refused by its endpoint', null],
] as const

/** What a model does that goes the n-th way. */
function answer(c: DialogueCase, way: number, { messages }: ScriptedRequest): Script {
  const first = messages.every(({ role }) => role !== 'assistant')
  const sayings = messages.filter(({ role }) => role === 'assistant').length
  // The detour of the second and third way is no part of the reference.
  const skip = (way === 1 || way === 2) && !first ? 1 : 0
  const history = [...messages]
  if (skip > 0)
    history.splice(
      history.findIndex(({ role }) => role === 'assistant'),
      2,
    )
  const right = player(c)({ role: 'model', messages: history as Message[] })
  const { source } = c.task.expected[0]!
  switch (way) {
    case 1:
      if (first) return call('addSessions', '{}')
      break
    case 2:
      if (first) return call('addSession', '{"source": ')
      break
    case 3:
      if (first) return call('addSession', JSON.stringify({ source, type: 'settings', data: { other: 1 } }))
      break
    case 4:
      return { say: `${sayings}` }
    case 5:
      return call('listSessions', JSON.stringify({ source, type: 'settings' }))
    case 6:
      if (right && !right.toolCalls && right.text === c.task.answer) return { say: 'None, I think.' }
      break
    case 7:
      if (!first) return { status: 400, message: 'this is not taken' }
      break
  }
  return right ? scripted(right) : { say: 'I have nothing to add.' }
}

export interface Everybody {
  /** Base URLs of the endpoints. */
  model: string
  judge: string
  user: string
  embeddings: string
  /** The live API. */
  facts: string
  /** Requests that each had. */
  counts(): Record<'model' | 'judge' | 'user' | 'embeddings' | 'facts', number>
  close(): Promise<void>
}

/** `wayOf`: which way the model goes in a case. */
export async function startEverybody(
  cases: readonly DialogueCase[],
  wayOf: (c: DialogueCase) => number,
  afterMs = 0,
): Promise<Everybody> {
  const slow = (script: Script): Script => ('say' in script ? { ...script, afterMs } : script)
  const caseIn = ({ messages }: ScriptedRequest) => {
    // Adapters of trainers may put it elsewhere, or add to it.
    const match = cases.find(({ instruction }) =>
      messages.some(({ content }) => (content as string | null)?.includes(instruction)),
    )
    if (!match) throw new Error(`no case: ${messages[0]?.content}`)
    return match
  }
  const model = await startScriptedModel((request) => {
    const c = caseIn(request)
    return slow(answer(c, wayOf(c), request))
  })
  const judge = await startScriptedModel(({ messages }) => {
    const [, answered, expected] = /\nAnswer: (.*)\nExpected: (.*)\n/s.exec(messages[0]!.content) ?? []
    return slow({ say: answered === expected ? 'Yes.' : 'No.' })
  })
  const user = await startScriptedModel(({ messages }) => ({ say: `Now: ${messages[0]!.content}` }))
  const embeddings = await startScriptedModel(({ messages }) => {
    const { length } = messages[0]!.content
    return { say: JSON.stringify([1, length / 10]) }
  })
  let factRequests = 0
  const facts = createServer((_, response) => {
    factRequests++
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"fact":"yes"}')
  })
  await new Promise<void>((resolve) => facts.listen(0, '127.0.0.1', resolve))
  const servers = { model, judge, user, embeddings }
  return {
    model: model.baseUrl,
    judge: judge.baseUrl,
    user: user.baseUrl,
    embeddings: embeddings.baseUrl,
    facts: `http://127.0.0.1:${(facts.address() as AddressInfo).port}`,
    counts: () => ({
      model: model.requests.length,
      judge: judge.requests.length,
      user: user.requests.length,
      embeddings: embeddings.requests.length,
      facts: factRequests,
    }),
    async close() {
      for (const server of Object.values(servers)) await server.close()
      facts.closeAllConnections()
      await new Promise((resolve) => facts.close(resolve))
    },
  }
}
