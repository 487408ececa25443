/** A scripted endpoint that plays the sample: each case in one of several ways to be right or wrong. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Message, SpeakerReply } from '@stateeval/contracts'
import type { Script, ScriptedRequest } from '@stateeval/testkit'
import type { Here } from './here.ts'

type ToolCall = NonNullable<SpeakerReply['toolCalls']>[number]

const scripted = ({ text, toolCalls, finish }: SpeakerReply): Script => ({
  say: text,
  finish,
  ...(toolCalls && {
    toolCalls: toolCalls.map(({ name, arguments: argumentText }) => ({ name, arguments: argumentText })),
  }),
})

/** Changes one reply of the reference. */
type Change = (reply: SpeakerReply) => Script
const inCalls =
  (change: (call: ToolCall) => ToolCall): Change =>
  (reply) =>
    scripted({ ...reply, ...(reply.toolCalls && { toolCalls: reply.toolCalls.map(change) }) })
const inArguments = (change: (args: Record<string, unknown>) => Record<string, unknown>): Change =>
  inCalls((call) => ({
    ...call,
    arguments: JSON.stringify(change(JSON.parse(call.arguments) as Record<string, unknown>)),
  }))
const inQuery = (change: (query: string) => string) =>
  inArguments((args) =>
    typeof args['query'] === 'string' ? { ...args, query: change(args['query']) } : args,
  )

/**
 * Ways with the verdict that each has under `published`. `first`: only the first reply is changed, and then
 * comes the reference from its beginning; else all replies are.
 */
export const ways: readonly { name: string; verdict: string; change: Change; first?: true }[] = [
  { name: 'right', verdict: 'success', change: scripted },
  {
    name: 'a format error, then right',
    verdict: 'success',
    first: true,
    change: inArguments((args) => ({ ...args, page_size: 3 })),
  },
  { name: 'equal by response', verdict: 'success', change: inQuery((query) => query.toUpperCase()) },
  { name: 'equal by judge', verdict: 'success', change: inQuery((query) => `the city of ${query}`) },
  { name: 'stops early', verdict: 'stop_early', change: () => ({ say: 'I would rather not.' }) },
  {
    name: 'arguments that are no JSON',
    verdict: 'func_error',
    change: inCalls((call) => ({ ...call, arguments: '{"query": ' })),
  },
]

/** The rule of an endpoint. @param wayOf which way it goes in a case */
export function endpointOf({ benchmark, cases }: Here, wayOf: (id: string) => number) {
  return ({ messages }: ScriptedRequest): Script => {
    const c = cases.find(({ instruction }) => messages[0]?.content === instruction)
    if (!c) throw new Error(`no case: ${messages[0]?.content}`)
    const { change, first } = ways[wayOf(c.id) % ways.length]!
    const player = benchmark.player(c, { prompting: 'direct' })!
    const replyCount = messages.filter(({ role }) => role === 'assistant').length
    const isChanged = !first || replyCount === 0
    const history =
      first && replyCount > 0 ? messages.filter(({ role }) => role === 'assistant').slice(1) : messages
    const reply = player({ role: 'model', messages: history as Message[] })
    if (!reply) return { say: 'Nothing is left to say.' }
    return isChanged ? change(reply) : scripted(reply)
  }
}

/** Says of two calls that they are equal, and scores all texts. */
export const judge = ({ messages }: ScriptedRequest): Script => {
  const { content } = messages.at(-1)!
  if (content.startsWith('Functions:'))
    return { say: '```JSON\n{"is_equal": True, "reason": "the same city"}\n```' }
  return { say: `{"score": ${content.includes('rather not') ? 0 : 2}, "reason": "as it is"}` }
}

export interface LiveApi {
  url: string
  requests: string[]
  close(): Promise<void>
}

/**
 * Answers a search by what is searched for, whatever the case of its letters; it knows no cities by other
 * names.
 */
export async function startLiveApi(): Promise<LiveApi> {
  const requests: string[] = []
  const server = createServer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://here')
    requests.push(incoming.url ?? '')
    const query = searchParams.get('query')?.toLowerCase() ?? ''
    const isKnown = incoming.headers['x-key'] === 'secret' && !query.startsWith('the city of')
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        status: isKnown,
        message: isKnown ? 'Success' : { query },
        timestamp: requests.length,
        data: { pathname, query },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
