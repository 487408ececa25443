/** A task over MCP, with stand-ins for the services. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { serveMcpHttp } from './server.ts'
import { McpTask } from './task.ts'

interface Answer {
  status: number
  body: unknown
}
type Handle = (body: { index: number; calls: { id: string; name: string }[] }) => Answer
let routes: Record<string, Handle> = {}
const read = async (request: IncomingMessage) => {
  let text = ''
  for await (const piece of request) text += String(piece)
  return JSON.parse(text || '{}') as never
}
const server = createServer((request, response) => {
  void read(request).then((body) => {
    const route = Object.keys(routes).find((one) => request.url?.startsWith(one))
    const { status, body: answer } = route ? routes[route]!(body) : { status: 404, body: {} }
    const type = typeof answer === 'string' ? 'application/jsonl' : 'application/json'
    response.writeHead(status, { 'content-type': type })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
})
const variables = ['STATEEVAL_URL', 'STATEEVAL_EXECUTION_URL', 'STATEEVAL_SCORING_URL']
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  for (const one of variables) process.env[one] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  opened = 0
  log = []
})
afterAll(() => {
  for (const one of variables) Reflect.deleteProperty(process.env, one)
  server.close()
})

const refusal = (status: number, detail: string) => ({
  status,
  body: { type: 'urn:stateeval:problem:x', title: 'x', status, detail },
})
/** Sessions that were opened, and the calls of the one that is open. */
let opened = 0
let log: string[] = []
const tools = [{ name: 'add', parameters: {} }]
const prompt = { messages: [{ role: 'user', content: 'do it' }], tools, ends: 'submit' }
const usual: Record<string, Handle> = {
  '/v1/benchmarks/bm_1/prompts': () => ({ status: 200, body: `${JSON.stringify(prompt)}\n`.repeat(2) }),
  '/v1/benchmarks/bm_1/cases': () => ({
    status: 200,
    body: { id: 'c1', world: 'w', oracles: [{ input: {} }, { input: {} }] },
  }),
  '/v1/benchmarks/bm_1': () => ({ status: 200, body: { id: 'bm_1', kind: 'stateeval' } }),
  '/v1/sessions/ses_1/calls': ({ index, calls: [call] }) => {
    if (call!.name.length > 64) return refusal(400, 'the name is too long')
    if (index !== log.length) return refusal(409, `the next call of this session has the index ${log.length}`)
    log.push(call!.name)
    return { status: 200, body: { results: [{ id: call!.id, content: 'done' }] } }
  },
  '/v1/sessions/ses_1/close': () => ({ status: 200, body: { observations: [] } }),
  '/v1/sessions': () => {
    opened++
    log = []
    return { status: 201, body: { id: 'ses_1' } }
  },
  '/v1/scores': () => ({ status: 200, body: { scores: [{ passed: true }] } }),
}

test('a call that is refused leaves no gap: the next one has its place', async () => {
  routes = usual
  const task = await McpTask.of('bm_1', 'c1')
  await expect(task.call('x'.repeat(65), {})).rejects.toThrow('too long')
  expect(await task.call('add', {})).toMatchObject({ content: 'done' })
  expect(log).toEqual(['add'])
})

test('a RESULT that was accepted counts once, also where the next world cannot be opened at first', async () => {
  routes = usual
  const task = await McpTask.of('bm_1', 'c1')
  routes = { ...usual, '/v1/sessions': () => refusal(409, 'no room') }
  expect((await task.call('submit', {})).content).toContain('RESULT was accepted')
  await expect(task.call('add', {})).rejects.toThrow('no room')
  routes = usual
  expect(await task.call('add', {})).toMatchObject({ content: 'done' })
  expect(opened).toBe(2)
  expect((await task.call('submit', {})).content).toContain('has ended')
  expect(await task.score).toMatchObject({ passed: true })
})

test('an answer that cannot be scored is told to whoever waits for the score', async () => {
  routes = { ...usual, '/v1/scores': () => refusal(422, 'no such kind') }
  const task = await McpTask.of('bm_1', 'c1')
  const score = expect(task.score).rejects.toThrow('no such kind')
  await task.call('submit', {})
  await expect(task.call('submit', {})).rejects.toThrow('no such kind')
  await score
})

test('clients that go without a word do not keep others out', async () => {
  routes = usual
  const running = await serveMcpHttp(await McpTask.of('bm_1', 'c1'), 0)
  const send = (body: object, headers: Record<string, string> = {}) =>
    fetch(running.url!, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    })
  const ids: string[] = []
  for (let n = 0; n < 25; n++) {
    const clientInfo = { name: 'c', version: '1' }
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo }
    const answer = await send({ method: 'initialize', params })
    expect(answer.status).toBe(200)
    ids.push(answer.headers.get('mcp-session-id')!)
    await answer.body?.cancel()
  }
  const list = async (id: string) => (await send({ method: 'tools/list' }, { 'mcp-session-id': id })).status
  expect([await list(ids[0]!), await list(ids.at(-1)!)]).toEqual([404, 200])
  await running.stop()
})
