/** Requests to live APIs: where they may go, with which headers, and how each ending is told. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import type { LiveApi, LiveRequest } from '@stateeval/contracts'
import {
  createLiveClient,
  buildLiveQuestion,
  createNetworks,
  computeQuestionKey,
  readLiveApis,
  formatLiveRequest,
  parseLiveResponse,
} from '../src/index.ts'

interface Seen {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
async function serve(...answers: { status: number; body?: string; headers?: Record<string, string> }[]) {
  const requests: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      requests.push({ method: request.method!, url: request.url!, headers: request.headers, body })
      const answer = answers[Math.min(requests.length, answers.length) - 1]!
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { requests, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2` }
}

const secret = 'live-secret'
const env = { STATEEVAL_KEY_LIVE: secret, STATEEVAL_KEY_LIVE_HOSTS: '127.0.0.1:*' }
const request: LiveRequest = { api: 'booking', method: 'GET', path: '/hotels', query: { city: 'Ulm & more' } }
function ask(
  settings: LiveApi,
  over: Partial<LiveRequest> = {},
  { networks = ['loopback'], lists = {} } = {},
) {
  const client = createLiveClient({
    apis: new Map([['booking', settings]]),
    env,
    networks: createNetworks(networks, lists),
    pause: async () => {},
    clock: () => 0,
    now: () => 0,
    random: () => 1,
    retries: 2,
  })
  const { model, messages } = buildLiveQuestion({ ...request, ...over })
  return client(model, { messages }, new AbortController().signal)
}

test('a request goes to its path below the base URL, with key and headers of the settings alone', async () => {
  const { requests, baseUrl } = await serve({ status: 404, body: `no hotel, ${secret}` })
  const settings = {
    baseUrl,
    keyEnv: 'STATEEVAL_KEY_LIVE',
    keyHeader: 'x-api-key',
    headers: { 'x-host': 'h' },
  }
  const reply = await ask(settings)
  expect(reply).toMatchObject({ status: 'done', usage: { requests: 1, promptTokens: 0 } })
  // Any status is an answer, and a key that comes back is hidden.
  expect(parseLiveResponse((reply as { text: string }).text)).toEqual({
    status: 404,
    body: 'no hotel, [key]',
  })
  expect(requests[0]).toMatchObject({
    method: 'GET',
    url: '/v2/hotels?city=Ulm+%26+more',
    headers: { 'x-api-key': secret, 'x-host': 'h' },
  })
  expect(requests[0]?.headers.authorization).toBeUndefined()
  await ask({ baseUrl, keyEnv: 'STATEEVAL_KEY_LIVE' }, { method: 'POST', body: { a: 1 } })
  expect(requests[1]).toMatchObject({
    method: 'POST',
    body: '{"a":1}',
    headers: { authorization: `Bearer ${secret}` },
  })
})

test('a busy API is asked again, as often as it may be', async () => {
  const { requests, baseUrl } = await serve({ status: 429 }, { status: 503 }, { status: 200, body: 'ok' })
  expect(await ask({ baseUrl })).toMatchObject({ status: 'done', retries: 2 })
  expect(requests).toHaveLength(3)
  const busy = await serve({ status: 503 })
  expect(await ask({ baseUrl: busy.baseUrl })).toMatchObject({
    status: 'failed',
    reason: 'the live API booking answered 503 (given up after 3 tries)',
  })
})

test.each([
  ...['/../admin', '//evil.example/x', 'hotels', '/..%2fadmin/../..', '/hotels/../admin', '/hotels/%2E./x'],
  ...['/hotels/.', '/hotels/.\t./x', '/hotels\\..\\x'],
])('the path %s cannot lead out of the API', async (path) => {
  const { requests, baseUrl } = await serve({ status: 200 })
  const reply = await ask({ baseUrl }, { path })
  // A part that is encoded is a name.
  if (reply.status === 'done') expect(requests[0]?.url).toBe(`/v2${path}?city=Ulm+%26+more`)
  else
    expect(reply).toMatchObject({
      status: 'refused',
      kind: 'request',
      reason: expect.stringMatching(/ of booking is outside the live API$/),
    })
  expect(reply.status === 'done').toBe(path === '//evil.example/x')
})

test('what may not be asked is refused: unknown APIs, networks, redirects stay where they are, long bodies', async () => {
  const { requests, baseUrl } = await serve({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })
  expect(await ask({ baseUrl }, { api: 'other' })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('STATEEVAL_LIVE_APIS_FILE'),
  })
  expect(await ask({ baseUrl }, {}, { networks: [] })).toMatchObject({ status: 'refused', kind: 'host' })
  expect(parseLiveResponse(((await ask({ baseUrl })) as { text: string }).text)).toEqual({
    status: 302,
    body: '',
  })
  expect(requests).toHaveLength(1)
  for (const over of [{ query: { city: 'x'.repeat(16_001) } }, { body: 'x'.repeat(2 ** 20) }])
    expect(await ask({ baseUrl }, over)).toMatchObject({ status: 'refused', kind: 'request' })
  expect(requests).toHaveLength(1)
  const long = await serve({ status: 200, body: 'x'.repeat(2 ** 20 + 1) })
  expect(await ask({ baseUrl: long.baseUrl })).toMatchObject({ status: 'refused', kind: 'request' })
})

const rules = { env, networks: createNetworks(['loopback']) }
const read = (text: string) => readLiveApis('apis.json', text, rules, () => null)
test('a file of live APIs is read, and a fault names the file, the API and the field', () => {
  const good = { baseUrl: 'http://127.0.0.1:1/v2', keyEnv: 'STATEEVAL_KEY_LIVE', keyHeader: 'x-api-key' }
  expect(read(JSON.stringify({ booking: good })).get('booking')).toEqual(good)
  const faulty: [object, RegExp][] = [
    [{ baseUrl: 'ftp://x' }, /^apis\.json, booking\/baseUrl: .*http/],
    [{ baseUrl: 'http://169.254.169.254/' }, /baseUrl is not allowed/],
    [{ ...good, keyEnv: 'PATH' }, /booking\/keyEnv: PATH is not allowed as a key/],
    [{ baseUrl: good.baseUrl, keyHeader: 'x' }, /keyHeader needs keyEnv/],
    [{ ...good, headers: { Authorization: 'x' } }, /headers\/Authorization: .* keyEnv/],
    [{ ...good, headers: { 'X-Api-Key': 'x' } }, /headers\/X-Api-Key/],
  ]
  for (const [settings, says] of faulty)
    expect(() => read(JSON.stringify({ booking: settings }))).toThrow(says)
  expect(() => read('[]')).toThrow('must be an object of APIs by name')
  expect(() => read('{')).toThrow('is not valid JSON')
})

test('an API that is on the list of denied hosts is not asked', async () => {
  const { requests, baseUrl } = await serve({ status: 200 })
  const denied = createNetworks(['loopback'], { denied: ['127.0.0.1'] })
  expect(() =>
    readLiveApis(
      'apis.json',
      JSON.stringify({ booking: { baseUrl } }),
      { env, networks: denied },
      () => null,
    ),
  ).toThrow('STATEEVAL_MODEL_DENIED')
  expect(await ask({ baseUrl }, {}, { lists: { denied: ['127.0.0.1'] } })).toMatchObject({
    status: 'refused',
    kind: 'host',
    reason: expect.stringContaining('STATEEVAL_MODEL_DENIED'),
  })
  expect(requests).toEqual([])
})

test('equal requests are one question, in whatever order they were written; every difference makes another', () => {
  const key = (over: Partial<LiveRequest>, attempt?: number) =>
    computeQuestionKey(buildLiveQuestion({ ...request, ...over }, attempt))
  const body = { a: 1, b: [{ c: 2, d: 3 }] }
  expect(key({ query: { a: '1', b: '2' } })).toBe(key({ query: { b: '2', a: '1' } }))
  expect(key({ body })).toBe(key({ body: { b: [{ d: 3, c: 2 }], a: 1 } }))
  expect(key({ query: {} })).toBe(
    computeQuestionKey(buildLiveQuestion({ api: 'booking', method: 'GET', path: '/hotels' })),
  )
  const keys = [
    key({}),
    key({}, 1),
    key({ api: 'other' }),
    key({ method: 'POST' }),
    key({ path: '/hotels/' }),
    key({ query: { city: 'Ulm' } }),
    key({ body: {} }),
    key({ body }),
    key({ body: { ...body, b: [{ c: 2 }, { d: 3 }] } }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})

test('a request is told in one line, however long it is and whatever it holds', () => {
  expect(formatLiveRequest(request)).toBe('GET /hotels?city=Ulm+%26+more of booking')
  const long = formatLiveRequest({ ...request, query: { city: `\u001b[31m\n\ud800${'x'.repeat(1000)}` } })
  expect(long).toMatch(/^GET \/hotels\?city=%1B%5B31m%0A%EF%BF%BDx{100,}… of booking$/)
  expect(long.length).toBeLessThan(250)
})
