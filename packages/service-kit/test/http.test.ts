/** What every service answers, whatever it is asked. */
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { Problem, ProblemError, findSchemaFault } from '@stateeval/contracts'
import { MongoClient } from 'mongodb'
import { answerFault, namespace, patience, type Servers, startServers, until } from '@stateeval/testkit'
import { refuseUnderPressure } from '../src/http/app.ts'
import { sendEvents } from '../src/http/sse.ts'
import { waitForAbort } from '../src/time.ts'
import { createLog, type RunningService, startService } from '../src/index.ts'
import { operations, toy, type ToyContext } from './toy.ts'

let servers: Servers
let service: RunningService<ToyContext>
let lines: string[] = []
beforeAll(async () => {
  servers = await startServers()
  // On a machine that runs other tests, a process may stand still for long.
  const env = { ...servers.env, PORT: '0', STATEEVAL_NAMESPACE: namespace(), STATEEVAL_MAX_LAG_MS: '0' }
  const log = createLog('toy', { level: 'info', destination: { write: (line) => void lines.push(line) } })
  service = (await startService(toy, { env, log })) as RunningService<ToyContext>
  await service.context.bus.ready()
})
afterEach(() => {
  service.context.work = async () => undefined
})
afterAll(async () => {
  await service?.stop(0)
  await servers?.stop()
})

interface Ask {
  method?: string
  url?: string
  headers?: Record<string, string>
  payload?: string | object
}
const ask = ({ method = 'POST', url = '/v1/things', ...rest }: Ask) =>
  service.app.inject({ method: method as 'GET', url, ...rest })
const json = { 'content-type': 'application/json' }

test('pages of this machine may send requests, and links of other sites may be followed', async () => {
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:7400', 'http://[::1]:1'])
    expect((await ask({ payload: { size: 1 }, headers: { origin } })).statusCode).toBeLessThan(300)
  const link = { method: 'GET', url: '/v1/things/a', headers: { 'sec-fetch-site': 'cross-site' } }
  expect((await ask(link)).statusCode).not.toBe(403)
})

test.each<[string, Ask, number, string, string | undefined]>([
  ['a missing field', { payload: {} }, 400, 'validation-failed', '/size'],
  ['a wrong type', { payload: { size: '3' } }, 400, 'validation-failed', '/size'],
  ['a number out of range', { payload: { size: 10 } }, 400, 'validation-failed', '/size'],
  ['an unknown field', { payload: { size: 3, sise: 1 } }, 400, 'validation-failed', '/sise'],
  [
    'a number beyond all',
    { headers: json, payload: '{"size":3,"any":[1e999]}' },
    400,
    'validation-failed',
    '/any/0',
  ],
  ['no body', {}, 400, 'validation-failed', ''],
  ['an empty body', { headers: json, payload: '' }, 400, 'malformed-body', undefined],
  ['broken JSON', { headers: json, payload: '{"size": ' }, 400, 'malformed-body', undefined],
  [
    'a poisoned prototype',
    { headers: json, payload: '{"size": 1, "__proto__": {"x": 1}}' },
    400,
    'malformed-body',
    undefined,
  ],
  ['a large body', { payload: { size: 1, pad: 'x'.repeat(3000) } }, 413, 'payload-too-large', undefined],
  [
    'text',
    { headers: { 'content-type': 'text/plain' }, payload: 'size=1' },
    415,
    'unsupported-media-type',
    undefined,
  ],
  [
    'a form',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'size=1' },
    415,
    'unsupported-media-type',
    undefined,
  ],
  [
    'a bad key',
    { payload: { size: 1 }, headers: { 'idempotency-key': 'ä'.repeat(3) } },
    400,
    'validation-failed',
    'Idempotency-Key',
  ],
  ['another method', { method: 'PUT', payload: { size: 1 } }, 405, 'method-not-allowed', undefined],
  ['a method that few know', { method: 'QUERY', payload: { size: 1 } }, 405, 'method-not-allowed', undefined],
  ['a method of WebDAV', { method: 'PROPFIND' }, 405, 'method-not-allowed', undefined],
  [
    'another method of what every service has',
    { method: 'PATCH', url: '/health/live' },
    405,
    'method-not-allowed',
    undefined,
  ],
  [
    'a form that is not answered',
    { payload: { size: 1 }, headers: { accept: 'text/html, image/*;q=0.5' } },
    406,
    'not-acceptable',
    'Accept',
  ],
  [
    'a form that is refused',
    { method: 'GET', url: '/v1/things/a', headers: { accept: 'application/json;q=0' } },
    406,
    'not-acceptable',
    'Accept',
  ],
  [
    'a cursor that is none',
    { method: 'GET', url: '/v1/things/a?cursor=%00' },
    400,
    'validation-failed',
    'cursor',
  ],
  [
    'a page of another site',
    { payload: { size: 1 }, headers: { 'sec-fetch-site': 'cross-site' } },
    403,
    'forbidden',
    'Origin',
  ],
  [
    'a foreign origin',
    { payload: { size: 1 }, headers: { origin: 'https://evil.example' } },
    403,
    'forbidden',
    'Origin',
  ],
  ['an opaque origin', { payload: { size: 1 }, headers: { origin: 'null' } }, 403, 'forbidden', 'Origin'],
  ['another path', { url: '/v1/nothing' }, 404, 'not-found', undefined],
  [
    'a long parameter',
    { method: 'GET', url: `/v1/things/${'x'.repeat(21)}` },
    400,
    'validation-failed',
    'id',
  ],
  ['a bad query', { method: 'GET', url: '/v1/things/a?limit=many' }, 400, 'validation-failed', 'limit'],
  [
    'a fraction in a query',
    { method: 'GET', url: '/v1/things/a?limit=1.5' },
    400,
    'validation-failed',
    'limit',
  ],
  [
    'a parameter longer than any',
    { method: 'GET', url: `/v1/things/${'x'.repeat(501)}` },
    404,
    'not-found',
    undefined,
  ],
  ['a bad escape', { method: 'GET', url: '/v1/things/%zz' }, 404, 'not-found', undefined],
])('%s is a problem that says what to do', async (_, request, status, code, field) => {
  const response = await ask(request)
  const problem = response.json()
  expect(problem).toMatchObject({
    status,
    type: `urn:stateeval:problem:${code}`,
    requestId: expect.any(String),
  })
  expect(problem.field).toBe(field)
  expect(problem.detail.length).toBeGreaterThan(10)
  expect(response.headers['x-request-id']).toBe(problem.requestId)
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    status,
    'application/problem+json',
  ])
})

test('what was sent is not said back at any length', async () => {
  const { detail } = (await ask({ payload: { size: 1, ['x'.repeat(1900)]: 1 } })).json()
  expect(detail).toMatch(/^\/x{999} …$/)
})

test('a caller on a real connection is there until the answer', async () => {
  const body = JSON.stringify({ size: 3 })
  expect((await fetch(`${service.url}/v1/things`, { method: 'POST', headers: json, body })).status).toBe(201)
  expect(service.context.aborts.at(-1)).toBe(false)
})

test.each([
  ['JSON, of which there is none', { 'content-type': 'application/json' }, ''],
  ['a type that no operation takes', { 'content-type': 'application/xml' }, '<a/>'],
  ['a body without a type', {}, 'x'.repeat(5000)],
])('an operation without a body reads none: %s', async (_, headers, payload) => {
  expect((await ask({ method: 'DELETE', url: '/v1/things/a', headers, payload })).statusCode).toBe(204)
})

test.each(['*/*', 'application/*', 'text/html, application/json;q=0.1', ''])(
  'an answer in JSON suits who accepts "%s"',
  async (accept) => {
    expect((await ask({ method: 'GET', url: '/v1/things/a', headers: { accept } })).statusCode).toBe(200)
  },
)

/** What comes back over a connection of its own. */
async function raw(request: string): Promise<{ status: number; head: string; problem: Problem }> {
  const caller = connect(Number(new URL(service.url).port), '127.0.0.1').end(request)
  const answer = await text(caller)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, problem: JSON.parse(body) as Problem }
}

test.each([
  ['an unknown method', 'BREW /v1/things HTTP/1.1\r\nhost: localhost\r\n\r\n', 405, 'method-not-allowed'],
  ['no HTTP', 'GET /v1/things HTCPCP/1.0\r\n\r\n', 400, 'malformed-request'],
  [
    'large headers',
    `GET /v1/things/a HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers-too-large',
  ],
  [
    'two lengths',
    'POST /v1/things HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
    'malformed-request',
  ],
  ['no host', 'GET /v1/things/a HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed-request'],
])('%s is answered with a problem, too', async (_, request, status, code) => {
  const answer = await raw(request)
  expect(findSchemaFault(Problem, answer.problem)).toBeNull()
  expect(answer).toMatchObject({ status, problem: { status, type: `urn:stateeval:problem:${code}` } })
  expect(answer.head.toLowerCase()).toContain('content-type: application/problem+json')
  expect(answer.head.toLowerCase()).toContain(`x-request-id: ${answer.problem.requestId}`)
})

test('what a request expects besides an answer is not looked at', async () => {
  const request = (expectation: string) =>
    `GET /v1/things/a HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${expectation}\r\n`
  const [usual, expecting] = await Promise.all(['', 'expect: tea\r\n'].map((one) => raw(request(one))))
  expect(expecting).toMatchObject({ status: 200, problem: usual!.problem })
})

test('405 comes with what is allowed, OPTIONS tells it, HEAD follows GET', async () => {
  expect((await ask({ method: 'PATCH', url: '/v1/things/a' })).headers.allow).toBe(
    'GET, HEAD, DELETE, OPTIONS',
  )
  expect(await ask({ method: 'OPTIONS' })).toMatchObject({
    statusCode: 204,
    headers: { allow: 'POST, OPTIONS' },
  })
  expect((await ask({ method: 'HEAD', url: '/v1/things/a' })).statusCode).toBe(200)
})

test('an error of ours shows the request id and nothing else', async () => {
  for (const request of [
    { method: 'DELETE', url: '/v1/things/crash' } as const,
    { method: 'GET', url: '/v1/things/broken' } as const,
  ]) {
    const response = await ask(request)
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toMatch(/hunter2|at |\.ts/)
    expect(response.json().requestId).toBe(response.headers['x-request-id'])
  }
})

test('request ids are taken over where they are sane', async () => {
  const idOf = async (id: string) =>
    (await ask({ method: 'GET', url: '/v1/things/a', headers: { 'x-request-id': id } })).headers[
      'x-request-id'
    ]
  expect(await idOf('trace-7')).toBe('trace-7')
  expect(await idOf('a b\tc')).not.toBe('a b\tc')
})

test('immutable things have an ETag, and are not sent again', async () => {
  const first = await ask({ method: 'GET', url: '/v1/things/a' })
  expect(answerFault(operations, 'getThing', first)).toBeNull()
  const again = await ask({
    method: 'GET',
    url: '/v1/things/a',
    headers: { 'if-none-match': String(first.headers.etag) },
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('the same Idempotency-Key makes one thing, also when both requests come at once', async () => {
  const before = service.context.thingIds.length
  const create = (size: number, key: string) =>
    ask({ payload: { size }, headers: { 'idempotency-key': key } })
  const both = await Promise.all([create(1, 'k1'), create(1, 'k1')])
  expect(both.map((response) => response.statusCode)).toContain(201)
  expect(both.every(({ statusCode }) => [201, 409].includes(statusCode))).toBe(true)
  const replayed = await create(1, 'k1')
  expect(replayed).toMatchObject({ statusCode: 201, headers: { 'idempotency-replayed': 'true' } })
  expect(service.context.thingIds.length - before).toBe(1)
  expect((await create(2, 'k1')).statusCode).toBe(422)
})

test('a creation that failed half-way frees its key: the same request goes on, another one makes its own', async () => {
  const create = (size: number) => ask({ payload: { size }, headers: { 'idempotency-key': 'k2' } })
  const { context } = service
  context.work = () => Promise.reject(new ProblemError('unavailable', 'not now; try again in a moment'))
  expect((await create(1)).statusCode).toBe(503)
  const halfMade = context.thingIds.at(-1)
  await create(2)
  expect(context.thingIds.at(-1)).not.toBe(halfMade)
  context.work = async () => undefined
  expect((await create(1)).json().id).toBe(halfMade)
  expect((await create(2)).statusCode).toBe(422)
})

/** Sends a request over a connection of its own, of its body so many characters. */
function sent(method: string, url: string, body = '', length = body.length) {
  const caller = connect(Number(new URL(service.url).port), '127.0.0.1')
  const about = body && `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  caller.write(`${method} ${url} HTTP/1.1\r\nhost: localhost\r\n${about}\r\n${body.slice(0, length)}`)
  return caller
}

test('a caller who leaves in the middle is no error of ours', async () => {
  const { context } = service
  const begun = Promise.withResolvers<void>()
  context.work = async (signal) => {
    begun.resolve()
    await waitForAbort(signal)
    signal.throwIfAborted()
  }
  lines = []
  const caller = sent('POST', '/v1/things', JSON.stringify({ size: 3 }))
  await begun.promise
  caller.destroy()
  expect(await until(() => lines.find((line) => line.includes('"url":"/v1/things"')))).toMatch(
    /"level":"info".*"status":499.*the caller disconnected/,
  )
  expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
  expect((await ask({ method: 'GET', url: '/metrics' })).body).toMatch(
    /http_request_duration_seconds_count\{[^}]*status="499"/,
  )
})

test('hundreds who leave in the upload, in the work or in the events leave nothing behind', async () => {
  const { context, app } = service
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  context.work = (signal) => waitForAbort(signal).then(() => signal.throwIfAborted())
  const body = JSON.stringify({ size: 3 })
  const connections = () =>
    new Promise<number>((tell) => app.server.getConnections((_, count) => tell(count)))
  const before = await connections()
  lines = []
  for (let n = 0; n < 100; n++) {
    const callers = [
      sent('POST', '/v1/things', body, n % 10),
      sent('POST', '/v1/things', body),
      sent('GET', '/v1/things/events'),
    ]
    await new Promise((go) => setTimeout(go, n % 5))
    for (const caller of callers) caller.resetAndDestroy()
  }
  await until(async () => (await connections()) <= before)
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
  expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
  context.work = async () => undefined
  expect((await ask({ payload: { size: 1 } })).statusCode).toBe(201)
})

test('a body that is larger than any text is sent as it is made, no faster than the caller reads', async () => {
  const { listed } = service.context
  const url = `${service.url}/v1/lists?count=`
  const small = await ask({ method: 'GET', url: '/v1/lists?count=3' })
  expect(answerFault(operations, 'listThings', small)).toBeNull()
  expect(small.json()).toHaveLength(3)
  expect((await ask({ method: 'HEAD', url: '/v1/lists?count=3' })).statusCode).toBe(200)

  const whole = await fetch(`${url}20000`)
  expect(whole.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await whole.json()).toHaveLength(20_000)

  // 400 MB: whoever takes a little of it and leaves has made us write little more.
  const before = listed.things
  const { body, status } = await fetch(`${url}400000`)
  expect(status).toBe(200)
  const reader = body!.getReader()
  await reader.read()
  await new Promise((go) => setTimeout(go, 300))
  expect(listed.open).toBe(1)
  await reader.cancel()
  await until(() => listed.open === 0)
  expect(listed.things - before).toBeLessThan(100_000)
})

test('a reader of events that is slow costs no listener for each event it makes wait', async () => {
  const raw = Object.assign(
    new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void setImmediate(done) }),
    {
      writeHead() {},
    },
  )
  let largest = 0
  const events = async function* () {
    for (let n = 0; n < 30; n++) {
      largest = Math.max(largest, raw.listenerCount('close'), raw.listenerCount('drain'))
      yield { data: n }
    }
  }
  // A whole reply needs a request on a socket; this one is read as far as events go.
  await sendEvents({ hijack() {}, raw } as never, events(), {})
  expect([largest <= 2, raw.listenerCount('close') <= 1]).toEqual([true, true])
})

test('the document, its page, health and metrics are there', async () => {
  const get = (url: string) => ask({ method: 'GET', url })
  const document = (await get('/openapi.json')).json()
  expect(document.paths['/v1/things/{id}'].get).toMatchObject({
    operationId: 'getThing',
    responses: { 404: {}, 500: {}, 503: {} },
  })
  for (const url of ['/docs', '/docs/', '/docs/static/index.html', '/docs/static/swagger-ui.css'])
    expect([url, (await get(url)).headers]).toEqual([
      url,
      expect.objectContaining({
        'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      }),
    ])
  expect((await get('/docs')).statusCode).toBeLessThan(400)
  const root = await get('/')
  expect([root.statusCode, root.headers['location']]).toEqual([302, '/docs'])
  expect((await get('/health/live')).json()).toEqual({ status: 'live' })
  expect((await get('/health/ready')).json()).toEqual({
    status: 'ready',
    checks: { mongodb: 'ok', nats: 'ok', service: 'ok' },
  })
  expect((await get('/metrics')).body).toContain('stateeval_http_request_duration_seconds_bucket')
})

test('events are streamed as they happen', async () => {
  const leaving = new AbortController()
  const response = await fetch(`${service.url}/v1/things/events`, { signal: leaving.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) text += decoder.decode(chunk)
  })().catch(() => undefined)
  await until(async () => {
    await service.context.bus.publishEvent('thing', 'all', 'made', { size: 4 })
    return text.includes('event: made\ndata: {"size":4}')
  })
  leaving.abort()
  await reading
})

test('while the servers are away, requests get 503 soon, and work again when they are back', async () => {
  await servers.kill()
  try {
    await until(() => !service.context.bus.connected)
    // Drivers by themselves are patient for 30 s: whoever waits for one of them answers after this one.
    const driver = new MongoClient(servers.mongoUri, { serverSelectionTimeoutMS: patience(30_000) })
    let isPatient = true
    const connecting = driver.connect().catch(() => (isPatient = false))
    const response = await ask({ payload: { size: 1 } })
    expect([response.statusCode, response.json().type]).toEqual([503, 'urn:stateeval:problem:unavailable'])
    expect(response.headers['retry-after']).toBeDefined()
    const keyed = await ask({ payload: { size: 1 }, headers: { 'idempotency-key': 'away' } })
    expect(keyed.statusCode).toBe(503)
    expect(isPatient).toBe(true)
    await driver.close()
    await connecting
    expect((await ask({ method: 'GET', url: '/health/live' })).statusCode).toBe(200)
    expect((await ask({ method: 'GET', url: '/health/ready' })).statusCode).toBe(503)
  } finally {
    await servers.restart()
  }
  await until(() => service.context.bus.connected)
  await until(async () => (await ask({ payload: { size: 1 } })).statusCode === 201)
})

test('a process that is behind refuses requests; one that was paused and one that is asked how it is do not', () => {
  expect(() => refuseUnderPressure('/v1/things', 6000)).toThrow('overloaded')
  for (const [url, delayMs] of [
    ['/v1/things', Infinity],
    ['/health/live', 6000],
    ['/metrics', 6000],
  ] as const)
    expect(() => refuseUnderPressure(url, delayMs)).not.toThrow()
})

test('a service that is asked to stop says first that it is not ready, and still answers', async () => {
  const env = {
    ...servers.env,
    ...{
      PORT: '0',
      STATEEVAL_NAMESPACE: namespace(),
      STATEEVAL_MAX_LAG_MS: '0',
      STATEEVAL_DRAIN_SECONDS: '3',
    },
  }
  const other = await startService(toy, { env, log: createLog('toy', { level: 'silent' }) })
  await other.platform.bus.ready()
  expect((await other.app.inject('/health/ready')).json()).toMatchObject({ status: 'ready' })
  const stopping = other.stop(0)
  const ready = await other.app.inject('/health/ready')
  expect([ready.statusCode, ready.json()]).toEqual([
    503,
    { status: 'not ready', checks: { mongodb: 'ok', nats: 'ok', service: 'stopping' } },
  ])
  expect((await other.app.inject('/v1/things/7')).statusCode).toBe(200)
  await stopping
})

test('a service that is asked to stop answers the requests that it has, but waits for no reader of events', async () => {
  const env = { ...servers.env, PORT: '0', STATEEVAL_NAMESPACE: namespace(), STATEEVAL_MAX_LAG_MS: '0' }
  const other = (await startService(toy, {
    env,
    log: createLog('toy', { level: 'silent' }),
  })) as RunningService<ToyContext>
  await other.context.bus.ready()
  const working = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  other.context.work = () => {
    working.resolve()
    return done.promise
  }
  const events = await fetch(`${other.url}/v1/things/events`)
  const made = fetch(`${other.url}/v1/things`, { method: 'POST', headers: json, body: '{"size":1}' })
  await working.promise
  const stopping = other.stop(3_600_000)
  setTimeout(done.resolve, 500)
  const response = await made
  expect([response.status, response.headers.get('connection')]).toEqual([201, 'close'])
  await stopping
  await events.text().catch(() => undefined)
})
