/**
 * What goes out over real HTTP, and to where: keys, redirects, names that change, and what is repeated of an
 * answer.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import type { ModelSettings } from '@stateeval/contracts'
import { type ModelClientOptions, createNetworks } from '../src/index.ts'
import { clientWith, hi, secret } from './asking.ts'

const listening: Server[] = []
afterEach(async () => {
  for (const server of listening.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
interface Recorder {
  port: number
  server: Server
  requests: IncomingMessage[]
  /** Connections, with or without a request. */
  readonly connections: number
}
const answer = JSON.stringify({
  choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
})
const hello: RequestListener = (_, response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(answer)

/** A server on this machine that remembers what came. */
async function record(handle: RequestListener = hello): Promise<Recorder> {
  const requests: IncomingMessage[] = []
  let connections = 0
  const server = createServer((request, response) => {
    requests.push(request)
    handle(request, response)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  listening.push(server)
  return {
    port: (server.address() as AddressInfo).port,
    server,
    requests,
    get connections() {
      return connections
    },
  }
}
const send = (
  baseUrl: string,
  settings: Partial<ModelSettings> = {},
  options: Partial<ModelClientOptions> = {},
) =>
  clientWith([], options).ask(
    { name: 'm', settings: { baseUrl, model: 'x', retries: 0, ...settings } },
    { messages: hi },
    new AbortController().signal,
  )
const keyed = { keyEnv: 'STATEEVAL_KEY_T' }
const envOf = (hosts: string) => ({ env: { STATEEVAL_KEY_T: secret, STATEEVAL_KEY_T_HOSTS: hosts } })

test('a key goes to its hosts only; another base URL gets no request at all', async () => {
  const [ownServer, other] = [await record(), await record()]
  const options = envOf(`127.0.0.1:${ownServer.port}`)
  expect(await send(`http://127.0.0.1:${ownServer.port}/v1`, keyed, options)).toMatchObject({
    status: 'done',
  })
  expect(ownServer.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`)
  for (const base of [
    `http://127.0.0.1:${other.port}/v1`,
    `http://127.0.0.1:${other.port}`,
    `http://localhost:${other.port}/v1`,
    `http://localhost:${ownServer.port}/v1`,
    `http://127.0.0.1:${ownServer.port}@127.0.0.1:${other.port}/v1`,
    `http://127.0.0.1:${other.port}\\@127.0.0.1:${ownServer.port}/v1`,
    `http://127.0.0.2:${ownServer.port}/v1`,
  ]) {
    const reply = await send(base, keyed, options)
    expect([base, reply]).toEqual([base, expect.objectContaining({ status: 'refused' })])
    expect(JSON.stringify(reply)).not.toContain(secret)
  }
  expect([ownServer.requests.length, other.connections]).toEqual([1, 0])
})

test('without a key nothing of the environment goes out: no other header, no key of the SDK', async () => {
  const server = await record()
  const theirs = {
    OPENAI_API_KEY: 'sk-1',
    OPENAI_ADMIN_KEY: 'sk-2',
    OPENAI_ORG_ID: 'org',
    OPENAI_PROJECT_ID: 'p',
    OPENAI_CUSTOM_HEADERS: 'x-mine: sk-3\nauthorization: Bearer sk-4',
  }
  Object.assign(process.env, theirs)
  try {
    await send(`http://127.0.0.1:${server.port}/v1`)
    await clientWith().check({ baseUrl: `http://127.0.0.1:${server.port}/v1`, model: 'x' })
  } finally {
    for (const name of Object.keys(theirs)) delete process.env[name]
  }
  expect(server.requests).toHaveLength(2)
  for (const { headers } of server.requests) {
    expect(JSON.stringify(headers)).not.toMatch(/sk-|org/)
    expect(headers.authorization).toBe('Bearer none')
    expect(Object.keys(headers).filter((name) => name.startsWith('x-') || name.startsWith('openai'))).toEqual(
      [],
    )
  }
})

test.each([301, 302, 303, 307, 308])(
  'a key does not follow a redirect (%d): to another host, port, scheme, or path',
  async (status) => {
    const other = await record()
    for (const location of [
      `http://127.0.0.1:${other.port}/v1/chat/completions`,
      `http://localhost:${other.port}/`,
      `https://127.0.0.1:${other.port}/`,
      '/elsewhere',
      `//127.0.0.1:${other.port}/x`,
    ]) {
      const server = await record((_, response) => void response.writeHead(status, { location }).end())
      const reply = await send(`http://127.0.0.1:${server.port}/v1`, keyed)
      expect(reply).toMatchObject({
        status: 'refused',
        kind: 'host',
        reason: expect.stringContaining('redirects are not followed'),
      })
      // It is the endpoint's word, and may be an inner address.
      expect(JSON.stringify(reply)).not.toContain(location)
      expect(server.requests).toHaveLength(1)
    }
    expect(other.connections).toBe(0)
  },
)

test('a name that stands for an inner address is not connected to, and neither is one that changes between two looks', async () => {
  const inner = await record()
  const strict = { networks: createNetworks([]) }
  const base = `http://rebind.example:${inner.port}/v1`
  const loopback = { address: '127.0.0.1', family: 4 }
  const outer = { address: '192.0.2.1', family: 4 }
  for (const addresses of [
    [loopback],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [{ address: '0.0.0.0', family: 4 }],
    [{ address: '93.184.216.34', family: 4 }, loopback],
  ]) {
    const reply = await send(base, {}, { ...strict, resolve: async () => addresses })
    expect(reply).toMatchObject({
      status: 'refused',
      kind: 'host',
      reason: expect.stringContaining('rebind.example resolves to a loopback address'),
    })
  }
  let looks = 0
  const changing = {
    networks: createNetworks(['192.0.2.0/24']),
    resolve: async () => [looks++ === 0 ? outer : loopback],
    retries: 3,
  }
  const client = clientWith([], changing)
  const settings = { baseUrl: base, model: 'x', timeoutMs: 200 }
  for (let round = 0; round < 3; round++)
    await client.ask({ name: 'm', settings }, { messages: hi }, new AbortController().signal)
  expect(looks).toBeGreaterThan(1)
  expect(await client.check(settings)).toContain('resolves to a loopback address')
  expect(inner.connections).toBe(0)

  // What a name may stand for is what is connected to: it is asked for once.
  looks = 0
  const once = async () => [looks++ === 0 ? loopback : outer]
  expect(await send(base, {}, { networks: createNetworks(['loopback']), resolve: once })).toMatchObject({
    status: 'done',
  })
  expect([looks, inner.requests[0]?.headers.host]).toEqual([1, `rebind.example:${inner.port}`])
})

test('lists of hosts hold for what a name stands for, each time anew, and a redirect leads nowhere else', async () => {
  const inner = await record(
    (_, response) =>
      void response.writeHead(307, { location: `http://denied.example:${inner.port}/v1` }).end(),
  )
  const base = `http://listed.example:${inner.port}/v1`
  const at = (address: string) => async () => [{ address, family: 4 }]
  const allowed = createNetworks(['loopback'], {
    hosts: ['listed.example'],
    denied: ['denied.example', '127.0.0.2'],
  })
  const hosts: string[] = []
  const counted = async (host: string) => {
    hosts.push(host)
    return at('127.0.0.1')()
  }
  // The redirect is an answer of the endpoint, and is not followed.
  expect(await send(base, {}, { networks: allowed, resolve: counted })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('redirects are not followed'),
  })
  expect([hosts, inner.connections]).toEqual([['listed.example'], 1])
  for (const [host, address, setting] of [
    ['denied.example', '127.0.0.1', 'STATEEVAL_MODEL_DENIED'],
    ['listed.example', '127.0.0.2', 'STATEEVAL_MODEL_DENIED'],
    ['listed.example', '10.0.0.1', 'STATEEVAL_MODEL_NETWORKS'],
    ['other.example', '8.8.8.8', 'STATEEVAL_MODEL_HOSTS'],
  ] as const)
    expect([
      host,
      address,
      await send(`http://${host}:${inner.port}/v1`, {}, { networks: allowed, resolve: at(address) }),
    ]).toEqual([
      host,
      address,
      expect.objectContaining({ status: 'refused', kind: 'host', reason: expect.stringContaining(setting) }),
    ])
  expect(inner.connections).toBe(1)
})

test('an address that is written out is checked when it is connected to, too: models that were stored before', async () => {
  const inner = await record()
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    '127.0.0.1.',
  ]) {
    const base = `http://${host}:${inner.port}/v1`
    expect([host, await send(base, {}, { networks: createNetworks([]) })]).toEqual([
      host,
      expect.objectContaining({ status: 'refused', kind: 'host' }),
    ])
    expect([
      host,
      await clientWith([], { networks: createNetworks([]) }).check({ baseUrl: base, model: 'x' }),
    ]).toEqual([host, expect.stringContaining('STATEEVAL_MODEL_NETWORKS')])
  }
  expect(inner.connections).toBe(0)
})

const page = '<html><title>Grafana</title>inner-secret-page</html>'
const longText = `inner-secret-page ${'x'.repeat(300)}`
test.each<[string, number, string, string]>([
  ['a page, except its title', 500, 'text/html', page],
  ['a page for success', 200, 'text/html', page],
  ['text of several lines', 403, 'text/plain', 'inner-secret-page\nand more'],
  ['long text', 403, 'text/plain', longText],
  ['text for success', 200, 'text/plain', 'inner-secret-page'],
  ['a redirect', 302, 'application/json', '{"error":{"message":"inner-secret-page"}}'],
  ['broken JSON', 400, 'application/json', '{"error": inner-secret-page'],
  ['broken JSON for success', 200, 'application/json', 'inner-secret-page'],
  ['JSON of another form', 404, 'application/json', '{"data":"inner-secret-page"}'],
  ['JSON of another form for success', 200, 'application/json', '{"data":"inner-secret-page"}'],
  ['JSON without an error for success', 200, 'application/json', '{"message":"inner-secret-page"}'],
  [
    'an error with other fields',
    400,
    'application/json',
    '{"error":{"trace":"inner-secret-page","message":""}}',
  ],
  [
    'an error whose message has other fields',
    400,
    'application/json',
    '{"error":{"message":{"of":"inner-secret-page"}}}',
  ],
  [
    'a code that is no word',
    400,
    'application/json',
    '{"error":{"message":"no","code":"inner-secret-page of the inner host"}}',
  ],
  ['a list of something else', 422, 'application/json', '[{"name":"inner-secret-page"}]'],
  [
    'a stream’s error with other fields',
    200,
    'text/event-stream',
    'data: {"error":{"of":"inner-secret-page"}}\n\n',
  ],
  ['a stream of something else', 200, 'text/event-stream', 'data: inner-secret-page\n\n'],
])('of %s nothing is repeated', async (_, status, type, body) => {
  const server = await record(
    (_request, response) =>
      void response
        .writeHead(status, 'inner-secret-page', { 'content-type': type, 'x-more': 'inner-secret-page' })
        .end(body),
  )
  const base = `http://127.0.0.1:${server.port}/v1`
  for (const stream of [false, true]) {
    const reply = await send(base, { stream })
    expect(reply.status).not.toBe('done')
    expect(JSON.stringify(reply)).not.toMatch(/inner-secret|inner host/)
    if (status < 400) expect(JSON.stringify(reply)).not.toContain('Grafana')
  }
  expect((await clientWith().check({ baseUrl: base, model: 'x' })) ?? '').not.toContain('inner-secret')
})

test('an error in OpenAI’s form is repeated: short, on one line, without the key', async () => {
  const reasonOf = async (status: number, body: object, settings: Partial<ModelSettings> = {}) => {
    const server = await record(
      (_, response) =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
    const reply = await send(`http://127.0.0.1:${server.port}/v1`, { ...keyed, ...settings })
    return (reply as { reason: string }).reason
  }
  expect(
    await reasonOf(400, {
      error: { message: 'top_k: unknown', type: 'invalid_request_error', code: 'unknown_parameter' },
    }),
  ).toMatch(
    /^the endpoint answered 400: top_k: unknown \(unknown_parameter\): the endpoint rejects this request/,
  )
  expect(
    await reasonOf(400, { object: 'error', message: 'too hot', type: 'BadRequestError', code: 400 }),
  ).toContain('400: too hot (BadRequestError)')
  expect(await reasonOf(200, { error: { message: 'no provider is up' } })).toContain(
    'answered with an error: no provider is up',
  )
  const odd = await reasonOf(400, {
    error: { message: `a\u001b[2J\r\nb\u202ec\u2028d\u0000e ${'x'.repeat(10_000)}` },
  })
  expect(odd).toContain('400: a [2J b c d e xxx')
  expect(odd.length).toBeLessThan(500)
  // A key that begins before the cut is hidden whole.
  for (let before = 280; before < 300; before++) {
    const reason = await reasonOf(401, { error: { message: `${'x'.repeat(before)}${secret}` } })
    expect(reason).not.toContain(secret.slice(0, 4))
  }
})

test('an error that never ends is left after its beginning', async () => {
  let sent = 0
  const server = await record((_, response) => {
    response.writeHead(500, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384))) sent++
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  expect(await send(`http://127.0.0.1:${server.port}/v1`)).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('answered 500'),
  })
  expect(sent).toBeLessThan(10_000)
})

test('behind the proxy that the environment names, requests go to it, and addresses are still refused', async () => {
  const targets: string[] = []
  const inner = await record()
  const proxy = await record()
  proxy.server.on('connect', (request, socket: Socket) => {
    targets.push(request.url ?? '')
    const through = connect(inner.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      through.pipe(socket).pipe(through)
    })
    for (const end of [through, socket]) end.on('error', () => end.destroy())
  })
  const theirs = { http_proxy: `http://127.0.0.1:${proxy.port}` }
  Object.assign(process.env, theirs)
  try {
    const options = { networks: createNetworks([]), env: { NODE_USE_ENV_PROXY: '1' } }
    expect(await send('http://models.example/v1', {}, options)).toMatchObject({ status: 'done' })
    expect(await send('http://127.0.0.1/v1', {}, options)).toMatchObject({ status: 'refused', kind: 'host' })
  } finally {
    for (const name of Object.keys(theirs)) delete process.env[name]
  }
  expect(targets).toEqual(['models.example:80'])
})
