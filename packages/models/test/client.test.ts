/** Over real HTTP: what is sent, what is read, and how each way of failing ends. */
import { createServer } from 'node:http'
import { expect, test } from '@jest/globals'
import type { Script } from '../../testkit/src/scripted-model.ts'
import type { ModelAttempt, ModelRequest } from '../src/request.ts'
import { readerVersion } from '../src/wire/stored-reply.ts'
import { retried } from '../src/wrappers/retried.ts'
import { ask, clientWith, hi, secret, serve } from './asking.ts'

test('an answer comes with its usage; the key and the parameters are sent', async () => {
  const server = await serve({ say: 'hello' })
  const reply = await ask(server, { keyEnv: 'STATEEVAL_KEY_T', parameters: { temperature: 0 } })
  const usage = { requests: 1, promptTokens: 10, completionTokens: 5 }
  expect(reply).toEqual({
    ...{ status: 'done', text: 'hello', finish: 'stop', usage, retries: 0, ms: 0 },
    reply: { reader: readerVersion, form: 'chat', body: expect.any(String) },
  })
  expect(server.requests[0]).toMatchObject({
    authorization: `Bearer ${secret}`,
    model: 'x',
    parameters: { temperature: 0 },
  })
})

test('usage that is not reported is estimated', async () => {
  const server = await serve({ say: 'twelve chars', usage: null })
  expect(await ask(server)).toMatchObject({
    usage: { promptTokens: 1, completionTokens: 3, estimated: 1 },
  })
})

test('a stream gives the same answer, usage and tool calls', async () => {
  const toolCalls = [{ name: 'add', arguments: '{"a":1}' }]
  for (const script of [{ say: 'streamed' }, { say: '', toolCalls, finish: 'tool_calls' }]) {
    const server = await serve(script)
    const whole = await ask(server)
    expect(whole).toMatchObject({ status: 'done', text: script.say })
    expect(await ask(server, { stream: true })).toEqual({ ...whole, reply: expect.anything() })
    expect(server.requests[1]?.parameters).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    })
  }
})

test('tools go out, and calls and their answers come back in later messages', async () => {
  const server = await serve({ say: 'done' })
  const request: Pick<ModelRequest, 'messages' | 'tools'> = {
    messages: [
      ...hi,
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'add', arguments: '{}' }] },
      { role: 'tool', content: '3', toolCallId: 'c1' },
    ],
    tools: [{ name: 'add', parameters: { type: 'object' } }],
  }
  await ask(server, {}, { request })
  expect(server.requests[0]?.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } }],
    },
    { role: 'tool', content: '3', tool_call_id: 'c1' },
  ])
  expect(server.requests[0]?.parameters['tools']).toEqual([
    { type: 'function', function: { name: 'add', parameters: { type: 'object' } } },
  ])
})

test('a base model gets plain text, stop strings and a token limit; its answer goes on from the prefix', async () => {
  for (const stream of [false, true]) {
    const server = await serve({ say: 'RESULT = {}\n' })
    const reply = await ask(server, {
      api: 'completions',
      prefix: '```javascript\n',
      parameters: { stop: ['```'] },
      stream,
    })
    expect(reply).toMatchObject({ status: 'done', text: '```javascript\nRESULT = {}\n' })
    expect(server.requests[0]).toMatchObject({
      prompt: 'hi\n\n```javascript\n',
      messages: [],
      parameters: { stop: ['```'], max_tokens: 1024 },
    })
  }
})

test('a base model goes on right behind the prompt: nothing is added to it', async () => {
  const server = await serve({ say: 'x' })
  const messages = [{ role: 'user', content: 'const a = ' }] as const
  await ask(server, { api: 'completions' }, { request: { messages: [...messages] } })
  expect(server.requests[0]?.prompt).toBe('const a = ')
})

test('a busy or broken endpoint is tried again, as late as it asks', async () => {
  const pauses: number[] = []
  const server = await serve(
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 500 },
    { say: 'at last' },
  )
  // Seven seconds for everybody, and for this question: the clock stands still here, so both are seen once
  // each.
  const reply = await clientWith(pauses, { clock: tickingBy(pauses) }).ask(
    { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x' } },
    { messages: hi },
    new AbortController().signal,
  )
  expect(reply).toMatchObject({ status: 'done', text: 'at last', retries: 2, usage: { requests: 3 } })
  expect(pauses).toEqual([7000, 200])
})
test('an endpoint that is busy and asks for no pause does not use up all tries at once', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' } }
  const server = await serve(busy, busy, busy, { say: 'at last' })
  const pauses: number[] = []
  const reply = await clientWith(pauses, { retries: 3, clock: tickingBy(pauses) }).ask(
    { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x' } },
    { messages: hi },
    new AbortController().signal,
  )
  expect(reply).toMatchObject({ status: 'done', retries: 3 })
  expect(pauses).toEqual([400, 800, 1600])
})
/** A clock that has gone on by what was paused. */
const tickingBy = (pauses: number[]) => () => pauses.reduce((sum, ms) => sum + ms, 0)

test('pauses double, are drawn at random from half to the whole, and dates are understood', async () => {
  const server = await serve(
    { status: 500 },
    { status: 500 },
    { status: 500, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' } },
    { say: 'x' },
  )
  const pauses: number[] = []
  const draws = [0, 0.5]
  const client = clientWith(pauses, {
    retries: 3,
    random: () => draws.shift() ?? 1,
    clock: tickingBy(pauses),
  })
  await client.ask(
    { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x' } },
    { messages: hi },
    new AbortController().signal,
  )
  expect(pauses).toEqual([50, 150, 3000])
})

test.each<[string, Script, object]>([
  ['what is no JSON', { garbage: '<html>' }, {}],
  ['JSON without an answer', { garbage: '{"choices":[]}' }, {}],
  ['an empty answer', { say: ' \n' }, {}],
  ['a connection that drops', { close: true }, {}],
  ['silence', { hang: true }, { timeoutMs: 100 }],
  ['a body that breaks off', { truncated: 'half an ans' }, {}],
  ['a stream that breaks off', { truncated: 'half an ans' }, { stream: true }],
  ['an error of its own', { status: 503 }, {}],
])('%s is tried again and then a failure, not an exception', async (_, script, settings) => {
  const server = await serve(script)
  // Counted as they go out: what was cut short by its time may never arrive.
  let tries = 0
  const before = async () => {
    tries++
    return null
  }
  expect(await ask(server, settings, { request: { messages: hi, before } })).toMatchObject({
    status: 'failed',
    retries: 2,
    reason: expect.stringContaining('given up after 3 tries'),
  })
  expect(tries).toBe(3)
})

test.each<[string, Script]>([
  ['is empty', { say: ' \n' }],
  ['is a flood', { garbage: `{"choices":[${'{},'.repeat(400_000)}{}]}` }],
])('an answer that %s in each try is the model’s own where it is scored', async (_, script) => {
  const server = await serve(script)
  let tries = 0
  const before = async () => {
    tries++
    return null
  }
  const settled: string[] = []
  const settle = async ({ status }: { status: string }) => void settled.push(status)
  const request = { messages: hi, before, settle, isScored: true } as const
  const reply = await ask(server, {}, { request })
  expect(reply).toMatchObject({ status: 'done', retries: 2 })
  expect('text' in reply && reply.text.trim()).toBe('')
  expect([tries, settled]).toEqual([3, ['done']])
})

test('a message in parts is the text of them, without the thoughts', async () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
    { type: 'text', text: 'RESULT' },
    { type: 'text', text: ' = 1' },
  ]
  const answer = JSON.stringify({
    choices: [{ message: { role: 'assistant', content: parts }, finish_reason: 'stop' }],
  })
  expect(await ask(await serve({ garbage: answer }))).toMatchObject({ status: 'done', text: 'RESULT = 1' })
})

test('an answer that is too long to be kept is cut, and a stream of it is left', async () => {
  const say = 'x'.repeat(5_000_000)
  for (const settings of [
    {},
    { stream: true },
    { api: 'completions' },
    { api: 'completions', stream: true },
  ] as const) {
    const reply = await ask(await serve({ say }), settings)
    expect(reply).toMatchObject({ status: 'done', finish: 'length', retries: 0 })
    expect('text' in reply && reply.text.length).toBe(2_000_000)
  }
})

test.each([
  [
    'an error with 200',
    '{"error":{"message":"no provider is up","code":502}}',
    'answered with an error: no provider is up',
  ],
  ['content that is no text', '{"choices":[{"message":{"content":5}}]}', 'content that is not a string'],
  ['a page', '<html>log in</html>', 'correct baseUrl'],
])('%s is said as it came', async (_, garbage, says) => {
  const reply = await ask(await serve({ garbage, ...(garbage.startsWith('<') && { type: 'text/html' }) }))
  expect(reply).toMatchObject({ status: 'failed', reason: expect.stringContaining(says) })
})

test('a port that is blocked is refused at once', async () => {
  const { baseUrl } = await serve({ say: 'never' })
  const reply = await ask({ baseUrl: baseUrl.replace(/:\d+/, ':6667') })
  expect(reply).toMatchObject({
    status: 'refused',
    kind: 'host',
    retries: 0,
    reason: expect.stringContaining('port'),
  })
})

test('what was cut at its length or filtered is the model’s own answer', async () => {
  expect(await ask(await serve({ say: '', finish: 'length' }))).toMatchObject({
    status: 'done',
    text: '',
    finish: 'length',
  })
  expect(await ask(await serve({ say: '', finish: 'content_filter' }))).toMatchObject({
    status: 'done',
    text: '',
  })
})

test.each<[string, Script, string, string]>([
  ['a wrong key', { status: 401, message: `bad key ${secret}` }, 'key', 'set a valid one'],
  ['a forbidden model', { status: 403, code: 'permission_error' }, 'key', 'STATEEVAL_KEY_T'],
  ['an unknown model', { status: 404, message: 'no such model' }, 'model', 'there is no model "x"'],
  ['a model that is unknown otherwise', { status: 400, code: 'model_not_found' }, 'model', 'GET '],
  [
    'a prompt that is too long',
    { status: 400, message: 'This model’s maximum context length is 4096 tokens' },
    'context',
    'lower max_tokens',
  ],
  [
    'a quota that is used up',
    { status: 429, message: 'You exceeded your current quota', code: 'insufficient_quota' },
    'quota',
    'quota',
  ],
  ['a parameter that is not taken', { status: 400, message: 'top_k: unknown' }, 'request', 'parameters'],
])('%s is refused at once, with what to do', async (_, script, kind, says) => {
  const server = await serve(script)
  const reply = await ask(server, { keyEnv: 'STATEEVAL_KEY_T' })
  expect(reply).toMatchObject({ status: 'refused', kind, retries: 0, reason: expect.stringContaining(says) })
  expect(JSON.stringify(reply)).not.toContain(secret)
  expect(server.requests).toHaveLength(1)
})

test('a key that is missing or may not be named is refused without a request; no answer holds one', async () => {
  const server = await serve({ say: `your key is ${secret}` })
  expect(await ask(server, { keyEnv: 'STATEEVAL_KEY_MISSING' })).toMatchObject({
    status: 'refused',
    kind: 'key',
    reason: expect.stringContaining('STATEEVAL_KEY_MISSING is not set'),
  })
  expect(await ask(server, { keyEnv: 'HOME' })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('is not allowed as a key'),
  })
  expect(server.requests).toHaveLength(0)
  expect(await ask(server, { keyEnv: 'STATEEVAL_KEY_T' })).toMatchObject({ text: 'your key is [key]' })
})

test('an endpoint that is down is said to be, after the retries', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  const reply = await ask({ baseUrl: `http://127.0.0.1:${port}/v1` })
  expect(reply).toMatchObject({
    status: 'refused',
    kind: 'unreachable',
    retries: 2,
    reason: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
  })
})

test('faults of every kind, mixed, end after the retries', async () => {
  const faults: ModelAttempt[] = [
    ...Array.from({ length: 4 }, (): ModelAttempt => ({
      status: 'transient',
      reason: 'the endpoint answered 500',
    })),
    { status: 'transient', unreachable: true, reason: 'ECONNREFUSED' },
  ]
  const endsAfter = async (retries: number, ...scripted: ModelAttempt[]) => {
    let tries = 0
    const attempt = async () => {
      if (tries > 50) throw new Error('it goes on for ever')
      return scripted[Math.min(tries++, scripted.length - 1)] as ModelAttempt
    }
    const asking = retried(attempt, { pause: async () => undefined, random: () => 1, retries, backoffMs: 1 })
    const reply = await asking(
      { name: 'm', settings: { baseUrl: 'http://x/v1', model: 'x' } },
      { messages: hi },
      new AbortController().signal,
    )
    expect(reply.retries).toBe(tries - 1)
    return [tries, reply.status]
  }
  expect(await endsAfter(6, ...faults)).toEqual([7, 'refused'])
  expect(await endsAfter(6, faults[4]!, faults[4]!, faults[4]!, faults[0]!)).toEqual([7, 'failed'])
  // Down for three tries after the first that did not reach it.
  expect(await endsAfter(20, ...faults)).toEqual([8, 'refused'])
  expect(await endsAfter(6, faults[4]!)).toEqual([4, 'refused'])
  expect(await endsAfter(0, faults[4]!)).toEqual([1, 'refused'])
})

test('a redirect is not followed', async () => {
  const other = await serve({ say: 'stolen' })
  const server = await serve({ status: 302, headers: { location: `${other.baseUrl}/chat/completions` } })
  expect(await ask(server)).toMatchObject({ status: 'refused', kind: 'host' })
  expect(other.requests).toHaveLength(0)
})

test('a signal ends waiting and asking', async () => {
  const server = await serve({ hang: true })
  const stop = new AbortController()
  const asking = clientWith().ask(
    { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x' } },
    { messages: hi },
    stop.signal,
  )
  setTimeout(() => stop.abort(), 50)
  expect(await asking).toMatchObject({ status: 'failed', reason: 'stopped' })
})
