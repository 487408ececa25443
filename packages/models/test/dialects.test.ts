/**
 * Requests in each dialect, to an endpoint that rejects what its vendor or server rejects: by the setting, by
 * the host, and by what a rejected request teaches.
 */
import { afterEach, expect, test } from '@jest/globals'
import {
  type DialectId,
  dialectIds,
  type Message,
  type ModelSettings,
  type ProbeFinding,
  systemRoles,
} from '@stateeval/contracts'
import fc from 'fast-check'
import { type PlayedDialect, playedDialects } from '../../testkit/src/played-dialects.ts'
import { type ScriptedModel, startScriptedModel } from '../../testkit/src/scripted-model.ts'
import { applyDialect } from '../src/dialects/in-dialect.ts'
import { findDialect, dropRejectedPart, findRejectedPart } from '../src/dialects/manners.ts'
import { dialects, type RequestManners } from '../src/dialects/table.ts'
import type { ModelRequest } from '../src/index.ts'
import { clientWith } from './asking.ts'

const servers: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
async function play(dialect: PlayedDialect): Promise<ScriptedModel> {
  const server = await startScriptedModel(
    ({ parameters: { tools } }) =>
      tools
        ? { say: '', finish: 'tool_calls', toolCalls: [{ name: 'b', arguments: '{}' }] }
        : { say: '{"a":1}', usage: { prompt_tokens: 7, completion_tokens: 3 } },
    dialect,
  )
  servers.push(server)
  return server
}
const question: ModelRequest = {
  messages: [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'hi' },
  ],
}
const schema = { type: 'object', properties: { a: { type: 'integer' } } }
const form: ModelRequest = { ...question, schema }
const call: ModelRequest = { ...question, tools: [{ name: 'a' }, { name: 'b' }], toolChoice: { name: 'b' } }
const ask = (client: ReturnType<typeof clientWith>, settings: ModelSettings, request: ModelRequest) =>
  client.ask({ name: 'm', settings }, request, new AbortController().signal)
const limited = { max_tokens: 100 }

test.each(dialectIds.flatMap((id) => [false, true].map((stream): [DialectId, boolean] => [id, stream])))(
  '%s, streamed %s: text, an answer by a schema and a named tool',
  async (dialect, stream) => {
    const { baseUrl, requests } = await play(playedDialects[dialect])
    const client = clientWith([], { retries: 0 })
    const settings = { baseUrl, model: 'x', dialect, stream, parameters: limited }
    const hasThoughts = playedDialects[dialect].thoughts?.[0] === 'content'
    const said = `${hasThoughts ? '<reasoning>let me see</reasoning>' : ''}{"a":1}`
    expect(await ask(client, settings, question)).toMatchObject({
      status: 'done',
      text: said,
      usage: { requests: 1, promptTokens: 7, completionTokens: 3 },
    })
    expect(await ask(client, settings, form)).toMatchObject({ status: 'done', text: said })
    expect(await ask(client, settings, call)).toMatchObject({ status: 'done', toolCalls: [{ name: 'b' }] })
    const [text, answer, tool] = requests.slice(-3).map(({ parameters }) => parameters)
    expect(text?.['max_tokens'] ?? text?.['max_completion_tokens']).toBe(100)
    const { response_format: format } = answer as { response_format: { type: string } }
    const messages = JSON.stringify(requests.at(-2)?.messages)
    expect(format.type === 'json_schema' || messages.includes('JSON Schema')).toBe(true)
    expect(JSON.stringify(tool?.['tool_choice'])).toMatch(/required|"name":"b"/)
  },
)

test.each(dialectIds.flatMap((id) => [false, true].map((stream): [DialectId, boolean] => [id, stream])))(
  '%s, streamed %s: a call goes back with what the dialect adds to it',
  async (dialect, stream) => {
    const played = playedDialects[dialect]
    const { baseUrl, requests } = await play(played)
    const client = clientWith([], { retries: 0 })
    const settings = { baseUrl, model: 'x', dialect, stream }
    const first = await ask(client, settings, call)
    if (first.status !== 'done') throw new Error(first.reason)
    const { text, toolCalls = [], vendor } = first
    const giveBack = (isWhole: boolean): ModelRequest => {
      const own: Message = {
        role: 'assistant',
        content: text,
        toolCalls,
        ...(isWhole && vendor && { vendor }),
      }
      const result: Message = { role: 'tool', content: '1', toolCallId: toolCalls[0]?.id ?? '' }
      return { ...call, messages: [...call.messages, own, result] }
    }
    expect(await ask(client, settings, giveBack(true))).toMatchObject({ status: 'done' })
    const back = requests.at(-1)?.messages[2]
    expect(back).toMatchObject({
      role: 'assistant',
      tool_calls: [{ ...played.calls?.[0], type: 'function' }],
    })
    if (played.rejects?.some(({ part }) => part === 'unsigned call'))
      expect(await ask(client, settings, giveBack(false))).toMatchObject({
        status: 'refused',
        kind: 'request',
      })
  },
)

test.each([
  ['openai', { max_tokens: 5, temperature: 0 }, [5, 3, 3]],
  ['azure', { max_tokens: 5 }, [4, 3, 3]],
  ['mistral', { max_completion_tokens: 5 }, [5, 3, 3]],
] as const)('%s teaches by its errors, once', async (id, parameters, [first]) => {
  const { baseUrl, requests } = await play(playedDialects[id])
  const client = clientWith([], { retries: 0 })
  const settings = { baseUrl, model: 'x', stream: true, parameters }
  for (let round = 0; round < 3; round++)
    expect(await ask(client, settings, question)).toMatchObject({ status: 'done', retries: 0 })
  // Those that were rejected are not passed to the rule, and are noted all the same.
  expect(requests).toHaveLength(first)
})

test('what questions in flight learn, they learn together', async () => {
  const { baseUrl, requests } = await play(playedDialects.openai)
  const client = clientWith([], { retries: 0 })
  const settings = { baseUrl, model: 'x', parameters: { max_tokens: 5, temperature: 0 } }
  const replies = await Promise.all(Array.from({ length: 8 }, () => ask(client, settings, question)))
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill('done'))
  expect(requests.length).toBeLessThanOrEqual(3 * 8)
})

test('an error that names nothing that can be mended is no lesson: it ends the question', async () => {
  const body = (code: string, param: string) => ({ error: { message: 'no', type: 'x', code, param } })
  for (const [status, said] of [
    [400, body('unsupported_parameter', 'temprature')],
    [400, body('unsupported_value', 'model')],
    [400, body('unknown_parameter', 'top_k')],
    [400, body('invalid_value', 'max_tokens')],
    [422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'top_k'] }] }],
    [422, { detail: [{ type: 'missing', loc: ['body', 'max_tokens'] }] }],
  ] as const) {
    const rejects = [{ part: 'max_tokens' as const, status, body: said, source: '' }]
    const { baseUrl, requests } = await play({ rejects })
    const settings = { baseUrl, model: 'x', parameters: { max_tokens: 5, top_k: 1 } }
    expect(await ask(clientWith([], { retries: 0 }), settings, question)).toMatchObject({
      status: 'refused',
      kind: 'request',
    })
    expect(requests).toHaveLength(1)
  }
})

test('any sequence of lessons ends, whatever an endpoint names', () => {
  const name = fc.oneof(
    fc.constantFrom('max_tokens', 'max_completion_tokens', 'stream_options.include_usage', 'tool_choice'),
    fc.constantFrom('messages[0].role', 'messages', 'model', 'response_format', 'temperature', 'seed'),
    fc.string(),
  )
  const parameters = ['temperature', 'seed']
  fc.assert(
    fc.property(fc.infiniteStream(fc.record({ name, known: fc.boolean() })), (parts) => {
      let manners: RequestManners = {}
      let lessons = 0
      for (const part of parts.take(500)) {
        const next = dropRejectedPart(manners, part, parameters)
        if (next === null) continue
        expect(next).not.toEqual(manners)
        manners = next
        lessons++
      }
      expect(lessons).toBeLessThanOrEqual(5 + parameters.length)
    }),
  )
  fc.assert(fc.property(fc.json(), (text) => void findRejectedPart(text)))
})

test('where the role of the system is rejected, its text stands before that of the user', () => {
  const manners: RequestManners = { system: 'user' }
  const messagesOf = (...roles: ('system' | 'user' | 'assistant')[]) =>
    applyDialect(
      { model: 'x', messages: roles.map((role, at) => ({ role, content: `${role} ${at}` })) },
      manners,
    ).messages
  expect(messagesOf('system', 'user', 'assistant', 'user')).toEqual([
    { role: 'user', content: 'system 0\n\nuser 1' },
    { role: 'assistant', content: 'assistant 2' },
    { role: 'user', content: 'user 3' },
  ])
  expect(messagesOf('system')).toEqual([{ role: 'user', content: 'system 0' }])
  fc.assert(
    fc.property(fc.array(fc.constantFrom('system', 'user', 'assistant')), (roles) => {
      const written = messagesOf(...roles)
      expect(written.some(({ role }) => role === 'system')).toBe(false)
      // Nothing is lost.
      for (const [at, role] of roles.entries())
        expect(JSON.stringify(written)).toContain(JSON.stringify(`${role} ${at}`).slice(1, -1))
    }),
  )
})

test('the role of the system’s text: the user’s choice precedes the probe and rejections, which precede the default', async () => {
  const rejection: ProbeFinding = { id: 'systemRole', found: 'no', how: 'rejected', reason: '400' }
  const taken: ProbeFinding = { id: 'systemRole', found: 'yes' }
  const { baseUrl, requests } = await play({})
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(undefined, ...systemRoles),
      fc.constantFrom(undefined, ...dialectIds),
      fc.constantFrom<readonly ProbeFinding[] | null>(null, [], [taken], [rejection]),
      fc.boolean(),
      async (systemRole, dialect, findings, isTaken) => {
        const others = { baseUrl, model: 'x', ...(dialect && { dialect }) }
        const settings = { ...others, ...(systemRole && { systemRole }) }
        const client = clientWith([], { retries: 0, ...(!isTaken && { findings: async () => findings }) })
        if (isTaken) client.takeFindings(settings, findings ?? [])
        const isRejected = findings?.includes(rejection) === true
        const role = systemRole ?? (isRejected ? 'user' : 'system')
        expect(await ask(client, settings, question)).toMatchObject({ status: 'done' })
        expect(requests.at(-1)?.messages.map((message) => [message.role, message.content])).toEqual(
          role === 'user'
            ? [['user', 'be brief\n\nhi']]
            : [
                [role, 'be brief'],
                ['user', 'hi'],
              ],
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('a chosen role that is rejected is not replaced, and what one choice taught holds for no other', async () => {
  const body = { error: { message: 'no', code: 'unsupported_value', param: 'messages[0].role' } }
  const { baseUrl, requests } = await play({
    rejects: [{ part: 'system role', status: 400, body, source: '' }],
  })
  const client = clientWith([], { retries: 0 })
  const rolesWith = async (choice: Partial<ModelSettings>) => {
    const { status } = await ask(client, { baseUrl, model: 'x', ...choice }, question)
    return [status, requests.at(-1)?.messages[0]?.role]
  }
  for (let round = 0; round < 2; round++) {
    expect(await rolesWith({ systemRole: 'system' })).toEqual(['refused', 'system'])
    expect(await rolesWith({})).toEqual(['done', 'user'])
    expect(await rolesWith({ systemRole: 'developer' })).toEqual(['done', 'developer'])
    expect(await rolesWith({ systemRole: 'user' })).toEqual(['done', 'user'])
  }
})

test('a host has its dialect; a setting goes before it; every fact has a source', () => {
  const of = (baseUrl: string, dialect?: DialectId) => findDialect({ baseUrl, ...(dialect && { dialect }) })
  expect(of('https://api.mistral.ai/v1')).toBe('mistral')
  expect(of('https://API.OpenAI.com./v1')).toBe('openai')
  expect(of('https://x.openai.azure.com/openai/deployments/d')).toBe('azure')
  expect(of('https://api.mistral.ai/v1', 'vllm')).toBe('vllm')
  for (const other of [
    'http://127.0.0.1:8000/v1',
    'https://api.openai.com.evil.example',
    'https://openai.com',
  ])
    expect(of(other)).toBeNull()
  const facts = Object.values(dialects).flatMap(({ facts: some, needs }) => [...Object.values(some), needs])
  for (const fact of facts) if (fact) expect(fact.source).toMatch(/^https:\/\//)
})
