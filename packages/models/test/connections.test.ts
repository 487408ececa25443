/**
 * What is added to requests, and the faults of connections: over real HTTP and TLS, with certificates of the
 * test.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type ModelSettings, systemRoles } from '@stateeval/contracts'
import fc from 'fast-check'
import { type Authority, makeAuthority } from '../../testkit/src/certificates.ts'
import {
  computeAnswerKey,
  createLiveClient,
  findSettingsFault,
  buildLiveQuestion,
  createNetworks,
} from '../src/index.ts'
import { clientWith, hi } from './asking.ts'

let folder: string
let authority: Authority
const usualAuthorities = getCACertificates('default')
const servers: (Server | TcpServer)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-connections-'))
  authority = await makeAuthority(folder)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  setDefaultCACertificates(usualAuthorities)
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const answer = JSON.stringify({
  choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
})
const received: IncomingMessage[] = []
const plain = () =>
  createServer((request, response) => {
    received.push(request)
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
async function tls({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<Server> {
  const [cert, key] = [await readFile(certFile), await readFile(keyFile)]
  return createTlsServer({ cert, key }, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
}

const secrets = {
  STATEEVAL_KEY_A: 'azure/key+1',
  STATEEVAL_KEY_B: 'gateway key & more',
}
const env = {
  ...secrets,
  STATEEVAL_KEY_A_HOSTS: '127.0.0.1:*',
  STATEEVAL_KEY_B_HOSTS: '127.0.0.1:*',
  STATEEVAL_KEY_OTHER: 'never-sent',
  STATEEVAL_KEY_OTHER_HOSTS: 'api.example.com',
}
const rules = { env, networks: createNetworks(['loopback']) }
const ask = (settings: ModelSettings) =>
  clientWith([], { env, retries: 0 }).ask(
    { name: 'm', settings },
    { messages: hi },
    new AbortController().signal,
  )

test('a request carries headers, query parameters and the key where the settings want them', async () => {
  received.length = 0
  const baseUrl = `http://127.0.0.1:${await listen(plain())}/openai/deployments/d`
  const settings: ModelSettings = {
    baseUrl,
    model: 'x',
    keyEnv: 'STATEEVAL_KEY_A',
    keyHeader: 'api-key',
    headers: { 'X-Title': 'StateEval', 'x-gateway-auth': 'Bearer ${STATEEVAL_KEY_B}' },
    query: { 'api-version': '2024-10-21', key: '${STATEEVAL_KEY_B}' },
  }
  expect(findSettingsFault(settings, rules)).toBeNull()
  expect(await ask(settings)).toMatchObject({ status: 'done', text: 'hello' })
  expect(await clientWith([], { env }).check(settings)).toBeNull()
  const [question, list] = received
  const search = new URLSearchParams({ 'api-version': '2024-10-21', key: secrets.STATEEVAL_KEY_B })
  expect([question?.url, list?.url]).toEqual(
    ['chat/completions', 'models'].map((path) => `/openai/deployments/d/${path}?${search.toString()}`),
  )
  for (const request of received) {
    expect(request.headers).toMatchObject({
      'api-key': secrets.STATEEVAL_KEY_A,
      'x-title': 'StateEval',
      'x-gateway-auth': `Bearer ${secrets.STATEEVAL_KEY_B}`,
    })
    expect(request.headers.authorization).toBeUndefined()
  }
})

test('a live API takes them alike, and what it repeats of a secret is hidden in each spelling', async () => {
  let url = ''
  const server = createServer((request, response) => {
    url = request.url ?? ''
    response.end(`${url} ${String(request.headers['x-auth'])} ${secrets.STATEEVAL_KEY_A}`)
  })
  const baseUrl = `http://127.0.0.1:${await listen(server)}`
  const client = createLiveClient({
    apis: new Map([
      ['a', { baseUrl, headers: { 'x-auth': '${STATEEVAL_KEY_A}' }, query: { key: '${STATEEVAL_KEY_B}' } }],
    ]),
    ...rules,
    pause: async () => {},
    clock: () => 0,
    now: () => 0,
    random: () => 1,
  })
  const { model, messages } = buildLiveQuestion({
    api: 'a',
    method: 'GET',
    path: '/x',
    query: { key: 'theirs', b: '1' },
  })
  const reply = await client(model, { messages }, new AbortController().signal)
  expect(url).toBe('/x?b=1&key=gateway+key+%26+more')
  expect(reply).toMatchObject({
    status: 'done',
    text: JSON.stringify({ status: 200, body: '/x?b=1&key=[key] [key] [key]' }),
  })
})

test.each<[string, Partial<ModelSettings>, string, RegExp]>([
  [
    'a key of another host',
    { query: { a: '${STATEEVAL_KEY_OTHER}' } },
    '/query/a',
    /STATEEVAL_KEY_OTHER_HOSTS/,
  ],
  [
    'a variable that is no key',
    { headers: { a: 'x ${PATH}' } },
    '/headers/a',
    /PATH is not allowed as a key/,
  ],
  ['no name of a variable', { headers: { a: '${}' } }, '/headers/a', /is not allowed as a key/],
  ['a secret by its value', { headers: { 'X-Api-Key': 's3' } }, '/headers/X-Api-Key', /STATEEVAL_KEY_…/],
  [
    'a secret in the query',
    { query: { subscriptionKey: 's3' } },
    '/query/subscriptionKey',
    /STATEEVAL_KEY_…/,
  ],
  ['authorization', { headers: { Authorization: '${STATEEVAL_KEY_A}' } }, '/headers/Authorization', /keyEnv/],
  ['a header of the connection', { headers: { Host: 'x' } }, '/headers/Host', /remove it/],
  ['one header twice', { headers: { 'x-a': '1', 'X-A': '2' } }, '/headers/X-A', /twice/],
  ['a header for no key', { keyHeader: 'api-key' }, '/keyHeader', /needs keyEnv/],
  [
    'the key’s header',
    { keyEnv: 'STATEEVAL_KEY_A', keyHeader: 'api-key', headers: { 'Api-Key': '${STATEEVAL_KEY_B}' } },
    '/headers/Api-Key',
    /remove it/,
  ],
])('settings with %s are refused', (_, extra, field, says) => {
  const settings = { baseUrl: 'http://127.0.0.1:8000/v1', model: 'x', ...extra }
  const fault = findSettingsFault(settings, rules)
  expect(fault).toMatchObject({ field, says: expect.stringMatching(says) })
  expect(fault?.says).not.toContain('s3')
})
test.each(['x-portkey-provider', 'HTTP-Referer', 'X-Title', 'anthropic-version', 'tokens-per-day'])(
  'the header %s has no secret',
  (name) => {
    const settings = { baseUrl: 'http://127.0.0.1:8000/v1', model: 'x', headers: { [name]: 'text' } }
    expect(findSettingsFault(settings, rules)).toBeNull()
  },
)

test('a secret goes to its hosts only, also if settings of another time name it; nothing is sent without it', async () => {
  received.length = 0
  const baseUrl = `http://127.0.0.1:${await listen(plain())}/v1`
  for (const name of ['STATEEVAL_KEY_OTHER', 'PATH', 'STATEEVAL_KEY_UNSET'])
    for (const extra of [{ headers: { a: `\${${name}}` } }, { query: { a: `\${${name}}` } }])
      expect(await ask({ baseUrl, model: 'x', ...extra })).toMatchObject({
        status: 'refused',
        kind: 'key',
        reason: expect.stringContaining(name),
      })
  const broken = { ...env, STATEEVAL_KEY_A: 'a\nb' }
  const reply = await clientWith([], { env: broken }).ask(
    { name: 'm', settings: { baseUrl, model: 'x', keyEnv: 'STATEEVAL_KEY_A' } },
    { messages: hi },
    new AbortController().signal,
  )
  expect(reply).toMatchObject({ status: 'refused', kind: 'key' })
  expect(JSON.stringify(reply)).not.toContain('a\\nb')
  expect(received).toEqual([])
})

test('an answer has no secret of its request, whatever the secrets are', () => {
  const text = fc.string({
    minLength: 12,
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  })
  return fc.assert(
    fc.asyncProperty(text, text, async (one, other) => {
      const transport = (async (url: string, init: { headers: Headers }) =>
        new Response(
          JSON.stringify({
            choices: [
              {
                message: { content: `${url} ${[...init.headers.values()].join(' ')} ${other}` },
                finish_reason: 'stop',
              },
            ],
          }),
          { headers: { 'content-type': 'application/json' } },
        )) as unknown as typeof fetch
      const settings = {
        baseUrl: 'http://127.0.0.1:1/v1',
        model: 'x',
        keyEnv: 'STATEEVAL_KEY_A',
        headers: { a: '<${STATEEVAL_KEY_B}>' },
        query: { b: '${STATEEVAL_KEY_B}' },
      }
      const withSecrets = { ...env, STATEEVAL_KEY_A: one, STATEEVAL_KEY_B: other }
      const reply = await clientWith([], { env: withSecrets, fetch: transport }).ask(
        { name: 'm', settings },
        { messages: hi },
        new AbortController().signal,
      )
      const said = reply.status === 'done' ? reply.text.replaceAll('[key]', '') : 'no answer'
      expect(said).toMatch(
        /^http:\/\/127\.0\.0\.1:1\/v1\/chat\/completions\?b= <> application\/json Bearer {2}application\/json OpenAI\/JS [\d.]+ $/,
      )
    }),
    { numRuns: 50 },
  )
})

test('headers and query make another question, as they may name another model; so does the role of the system; a key does not', () => {
  const settings: ModelSettings = { baseUrl: 'http://127.0.0.1:1/v1', model: 'x' }
  const keyOf = (extra: Partial<ModelSettings>) =>
    computeAnswerKey({ ...settings, ...extra }, { messages: hi })
  expect(keyOf({ keyEnv: 'STATEEVAL_KEY_A', keyHeader: 'api-key' })).toBe(keyOf({}))
  const keys = [
    ...[{}, { headers: { a: 'b' } }, { headers: { a: 'c' } }, { query: { a: 'b' } }],
    ...systemRoles.map((systemRole) => ({ systemRole })),
  ].map(keyOf)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a certificate that is not trusted is said at the check and ends a question, with the setting that mends it', async () => {
  const issued = await authority.issue('server')
  const selfSigned = { certFile: authority.caFile, keyFile: authority.keyFile }
  for (const [files, code] of [
    [selfSigned, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [issued, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ] as const) {
    const settings = { baseUrl: `https://127.0.0.1:${await listen(await tls(files))}/v1`, model: 'x' }
    const says = `${settings.baseUrl} has a certificate of an unknown authority.`
    const told = await clientWith().check(settings)
    expect(told).toContain(says)
    expect(told).toContain('STATEEVAL_EXTRA_CA_CERTS')
    expect(told).toContain(code)
    expect(await ask(settings)).toEqual({ status: 'refused', kind: 'host', retries: 0, reason: told })
  }
  const port = await listen(await tls(issued))
  setDefaultCACertificates([...usualAuthorities, await readFile(authority.caFile, 'utf8')])
  expect(await clientWith().check({ baseUrl: `https://127.0.0.1:${port}/v1`, model: 'x' })).toBeNull()
  expect(await ask({ baseUrl: `https://127.0.0.1:${port}/v1`, model: 'x' })).toMatchObject({ status: 'done' })
})

test('a certificate for other names is said', async () => {
  setDefaultCACertificates([...usualAuthorities, await readFile(authority.caFile, 'utf8')])
  const server = await tls(await authority.issue('other'))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  const baseUrl = `https://127.0.0.2:${(server.address() as AddressInfo).port}/v1`
  expect(await clientWith().check({ baseUrl, model: 'x' })).toContain('a certificate for other names')
})

test('the wrong protocol is said: https at a port without TLS, http at a port with it', async () => {
  const withoutTls = await listen(plain())
  const https = { baseUrl: `https://127.0.0.1:${withoutTls}/v1`, model: 'x' }
  expect(await clientWith().check(https)).toContain('without TLS: write http:// in baseUrl')
  expect(await ask(https)).toMatchObject({ status: 'refused', kind: 'host' })
  // One that hangs up at anything but HTTP.
  const strict = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) =>
      String(data).startsWith('HEAD ')
        ? socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
        : socket.destroy(),
    )
  })
  const hangingUp = { baseUrl: `https://127.0.0.1:${await listen(strict)}/v1`, model: 'x' }
  expect(await clientWith().check(hangingUp)).toContain('without TLS: write http:// in baseUrl')

  const withTls = await listen(await tls(await authority.issue('plain')))
  expect(await clientWith().check({ baseUrl: `http://127.0.0.1:${withTls}/v1`, model: 'x' })).toContain(
    'speaks TLS: write https:// in baseUrl',
  )
  // A server that only hangs up speaks neither.
  const mute = createTcpServer((socket) => socket.on('error', () => {}).destroy())
  const port = await listen(mute)
  for (const scheme of ['http', 'https'])
    expect(await clientWith().check({ baseUrl: `${scheme}://127.0.0.1:${port}/v1`, model: 'x' })).toBeNull()
})

test.each(['127.0.0.1', 'localhost', '[::1]', 'a.localhost'])(
  '%s is asked without the proxy',
  async (host) => {
    received.length = 0
    const port = await listen(plain())
    const proxy = createServer((_, response) => response.writeHead(500).end())
    let proxied = 0
    proxy.on('connection', () => proxied++)
    const theirs = { http_proxy: `http://127.0.0.1:${await listen(proxy)}` }
    Object.assign(process.env, theirs)
    const client = clientWith([], {
      env: { NODE_USE_ENV_PROXY: '1' },
      retries: 0,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    await client.ask(
      { name: 'm', settings: { baseUrl: `http://${host}:${port}/v1`, model: 'x' } },
      { messages: hi },
      new AbortController().signal,
    )
    expect(proxied).toBe(0)
    // The server listens on IPv4 only.
    expect(received).toHaveLength(host === '[::1]' ? 0 : 1)
  },
)
