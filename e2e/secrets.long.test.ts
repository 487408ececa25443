/**
 * No secret gets into a log or an answer, whatever goes wrong: services run as processes that log everything,
 * with keys, passwords and programs that say secrets, and are asked for all kinds of errors.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { evaluationOperations, type ServiceName } from '@stateeval/contracts'
import { listOwners } from '@stateeval/testkit/end-with-owner'
import {
  freePort,
  namespace,
  type Script,
  type ScriptedModel,
  type Servers,
  type ServiceProcess,
  startProcess,
  startScriptedModel,
  startServers,
  stateeval,
  until,
} from '@stateeval/testkit'

/** By what they are. Each is found by its text, whole; spaces and signs are there to be encoded. */
const secrets = {
  admin: 'admin-key-tuesday-0123456789abcdef',
  model: 'model-key/with+signs=and"quotes-7781',
  gateway: 'gateway-key/with+signs=8892',
  parameter: 'parameter key & more-3301',
  nats: 'nats-p@ss/word-5523',
  mongo: 'mongo-p@ss/word-6634',
  collector: 'collector-pass-9945',
  header: 'collector-header-1156',
  query: 'query-parameter-2267',
  body: 'member-of-a-body-3378',
  candidate: 'candidate-said-4489',
  bearer: 'wrong-bearer-token-5590',
}
/** Made while the test runs. */
const createdKeys: string[] = []
const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
]

let log = ''
/** Answers but those that give a key. */
let answers = ''
let servers: Servers
let model: ScriptedModel
const processes: Partial<Record<ServiceName, ServiceProcess>> = {}
const waysToSay = (secret: string): Script[] => [
  { status: 401, message: `wrong key ${secret}` },
  { status: 500, message: `no luck, ${secret}`, headers: { 'x-echo': 'yes' } },
  { status: 302, headers: { location: `/v1?key=${encodeURIComponent(secret)}` } },
  { garbage: `<html>${secret}</html>` },
  { truncated: secret },
  { close: true },
  { say: `the key is ${secret}` },
]

beforeAll(async () => {
  servers = await startServers()
  model = await startScriptedModel(({ authorization = '', headers, query, count }) => {
    // The query as it came, and as it is meant.
    const said = [authorization.replace('Bearer ', ''), headers['x-gateway-key'], query, secrets.parameter]
    const all = waysToSay(said.join(' '))
    return all[count % all.length]!
  })
  const nats = new URL(servers.natsUrl)
  const env = {
    ...servers.env,
    NATS_URL: `nats://someone:${encodeURIComponent(secrets.nats)}@${nats.host}`,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_ADMIN_KEY: secrets.admin,
    STATEEVAL_MODEL_NETWORKS: 'loopback',
    STATEEVAL_KEY_MODEL: secrets.model,
    STATEEVAL_KEY_MODEL_HOSTS: '127.0.0.1:*',
    STATEEVAL_KEY_GATEWAY: secrets.gateway,
    STATEEVAL_KEY_GATEWAY_HOSTS: '127.0.0.1:*',
    STATEEVAL_KEY_PARAMETER: secrets.parameter,
    STATEEVAL_KEY_PARAMETER_HOSTS: '127.0.0.1:*',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://collector:${secrets.collector}@127.0.0.1:9`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secrets.header}`,
    LOG_LEVEL: 'trace',
  }
  await Promise.all(
    (['evaluation', 'execution', 'scoring'] as const).map(async (name) => {
      processes[name] = await startProcess(name, env, (text) => (log += text))
    }),
  )
})
afterAll(async () => {
  for (const process of Object.values(processes)) await process.kill()
  await model?.close()
  await servers?.stop()
})

interface Sent {
  key?: string
  body?: unknown
  service?: ServiceName
  headers?: Record<string, string>
}
async function send(method: string, path: string, sent: Sent = {}) {
  const { key = secrets.admin, body, service = 'evaluation', headers = {} } = sent
  const response = await fetch(`${processes[service]!.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (path !== '/v1/keys') answers += `${method} ${path.split('?')[0]} ${response.status} ${text}\n`
  return { status: response.status, text }
}
const json = async <T>(...args: Parameters<typeof send>) => JSON.parse((await send(...args)).text) as T

/** Which secrets a text holds; what was looked for in vain is no proof where nothing was said. */
const leaks = (text: string) => [
  ...Object.entries(secrets).flatMap(([name, secret]) =>
    spellings(secret).some((spelling) => text.includes(spelling)) ? [name] : [],
  ),
  ...createdKeys.filter((secret) => text.includes(secret)).map((secret) => `a key that was made: ${secret}`),
]

/** Requests that go wrong. */
async function sendWhatGoesWrong(): Promise<void> {
  const key = await json<{ id: string; key: string }>('POST', '/v1/keys', {
    body: { name: 'made', scopes: ['run'] },
  })
  createdKeys.push(key.key.slice(key.key.indexOf('_', 'stateeval_'.length) + 1))
  const attempts: [string, string, Sent?][] = [
    ['GET', `/v1/models?api_key=${secrets.query}&limit=1&access_token=${secrets.query}`],
    // The whole key where its id belongs.
    ['GET', `/v1/keys/${key.key}`],
    ['DELETE', `/v1/keys/${key.key}`],
    ['GET', `/v1/${key.key}/nothing?password=${secrets.query}`],
    ['GET', '/v1/models', { key: secrets.bearer }],
    ['GET', '/v1/models', { key: `${key.key.slice(0, -4)}AAAA` }],
    ['GET', '/v1/models', { key: `eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.${secrets.bearer}` }],
    ['GET', '/v1/models', { headers: { cookie: `session=${secrets.bearer}`, 'x-api-key': secrets.bearer } }],
    ['PUT', '/v1/models/a', { body: { password: secrets.body, apiKey: secrets.body } }],
    ['PUT', '/v1/models/a', { body: `{"model": "${secrets.body}` }],
    ['PUT', '/v1/models/a', { body: { baseUrl: `http://u:${secrets.body}@127.0.0.1:1/v1`, model: 'x' } }],
    ['PUT', '/v1/models/a', { body: { baseUrl: `http://127.0.0.1:1/v1?key=${secrets.body}`, model: 'x' } }],
    ['POST', '/v1/evaluations', { body: { benchmark: 'bm_1', model: secrets.body } }],
    ['POST', '/v1/executions', { body: { password: secrets.body }, service: 'execution' }],
    ['POST', '/v1/scores', { body: [secrets.body], service: 'scoring' }],
  ]
  for (const [method, path, sent] of attempts) {
    const { status, text } = await send(method, path, sent)
    expect([path, status < 500]).toEqual([path, true])
    // A caller may be told what it sent itself where it names what is not there, and no more.
    if (status === 401) expect(leaks(text)).toEqual([])
  }
}

/** Programs may say what they like; the log repeats nothing of it. */
async function runWhatSaysSecrets(): Promise<void> {
  const codes = [
    `console.log('${secrets.candidate}'); console.error('${secrets.candidate}'); RESULT = {}`,
    `throw new Error('${secrets.candidate}')`,
    `RESULT = { said: '${secrets.candidate}' }; throw Object.assign(new Error('x'), { input: '${secrets.candidate}' })`,
    `const ${secrets.candidate.replaceAll('-', '_')} = ;`,
    `process.stderr.write('${secrets.candidate}'); process.exit(3)`,
  ]
  for (const code of codes) {
    const body = {
      language: 'javascript',
      code,
      world: 'session-service',
      inputs: [{ variables: {}, world: { items: [] } }],
    }
    const { status, text } = await send('POST', '/v1/executions?wait=60', { body, service: 'execution' })
    expect([code, status, text.slice(0, 200)]).toEqual([code, 200, expect.stringContaining('exe_')])
  }
}

/** Endpoints that say keys back, in errors and in answers. */
async function askWhoSaysKeys(): Promise<void> {
  const { example } = evaluationOperations.importBenchmark
  const set = await json<{ id: string }>('POST', '/v1/benchmarks/import', { body: example })
  const settings = {
    model: 'm',
    keyEnv: 'STATEEVAL_KEY_MODEL',
    headers: { 'x-gateway-key': '${STATEEVAL_KEY_GATEWAY}' },
    query: { key: '${STATEEVAL_KEY_PARAMETER}' },
    retries: 1,
  }
  const away = `http://127.0.0.1:${await freePort()}/v1`
  for (const [name, baseUrl] of [
    ['echoes', model.baseUrl],
    ['away', away],
    ['nowhere', 'http://models.invalid/v1'],
  ] as const) {
    expect(await send('PUT', `/v1/models/${name}`, { body: { ...settings, baseUrl } })).toMatchObject({
      status: name === 'nowhere' ? 422 : 200,
    })
    if (name === 'nowhere') continue
    // Enough samples for each of the endpoint's ways.
    const body = { benchmark: set.id, model: name, samples: name === 'away' ? 1 : 16 }
    const begun = await send('POST', '/v1/evaluations', { body })
    // Nobody answers there, which is said at once.
    if (name === 'away') {
      expect(begun.status).toBe(422)
      continue
    }
    const { id } = JSON.parse(begun.text) as { id: string }
    const now = () => json<{ status: string }>('GET', `/v1/evaluations/${id}`)
    await until(async () => /succeeded|failed|cancelled/.test((await now()).status))
    for (const part of ['', '/report', '/answers', '/recording'])
      await send('GET', `/v1/evaluations/${id}${part}`)
  }
  expect(model.requests.length).toBeGreaterThan(7)
  const sentQuery = new URLSearchParams({ key: secrets.parameter }).toString()
  for (const { headers, query } of model.requests)
    expect([headers.authorization, headers['x-gateway-key'], query]).toEqual([
      `Bearer ${secrets.model}`,
      secrets.gateway,
      sentQuery,
    ])
  for (const service of ['evaluation', 'execution', 'scoring'] as const)
    for (const path of ['/health/ready', '/metrics', '/openapi.json']) await send('GET', path, { service })
  // Keys that stood where their ids belong, too.
  expect(leaks((await send('GET', '/v1/audit?limit=500')).text)).toEqual([])
  for (const path of ['/v1/dead-letters', '/v1/models', '/v1/keys/none']) await send('GET', path)
}

/** What a service says that never gets ready, until `enough` of it is there, or its end. */
async function saidBy(service: ServiceName, env: Record<string, string>, enough: (text: string) => boolean) {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, `../services/${service}/src/main.ts`)], {
    env: {
      PATH: process.env['PATH'],
      ...listOwners(),
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'trace',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (text += data.toString()))
  const exit = new Promise((resolve) => child.once('close', resolve))
  let ended = false
  void exit.then(() => (ended = true))
  try {
    await until(() => ended || (text.includes('listening') && enough(text)))
    for (const path of ended ? [] : ['/health/ready', '/v1/statistics'])
      text += await (
        await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { authorization: `Bearer ${secrets.admin}` },
        })
      ).text()
  } finally {
    child.kill('SIGKILL')
    await exit
  }
  return text
}
const [mongoSecret, natsSecret] = [encodeURIComponent(secrets.mongo), encodeURIComponent(secrets.nats)]
const unreachable = {
  MONGODB_URI: `mongodb://someone:${mongoSecret}@127.0.0.1:1/?serverSelectionTimeoutMS=500`,
  NATS_URL: `nats://someone:${natsSecret}@127.0.0.1:1`,
  NATS_PASSWORD: secrets.nats,
  STATEEVAL_ADMIN_KEY: secrets.admin,
}
test.each<[string, Record<string, string>, RegExp]>([
  ['servers that refuse', unreachable, /NATS cannot be reached yet/],
  [
    'a MongoDB address with a raw password',
    { ...unreachable, MONGODB_URI: `mongodb://someone:${secrets.mongo}@h` },
    /listening|MONGODB_URI/,
  ],
  [
    'a NATS address with a raw password',
    { ...unreachable, NATS_URL: `nats://someone:${secrets.nats}@h` },
    /listening|NATS_URL/,
  ],
  [
    'an admin key that is too short',
    { ...unreachable, STATEEVAL_ADMIN_KEY: secrets.admin.slice(0, 20) },
    /STATEEVAL_ADMIN_KEY: /,
  ],
])('%s: what a service says of it holds no password', async (_, env, says) => {
  const text = await saidBy('scoring', env, (output) => says.test(output))
  expect(text).toMatch(says)
  expect(leaks(text)).toEqual([])
  expect(text).not.toContain(secrets.admin.slice(0, 20))
})

test('commands do not repeat the password of an address, or a key', async () => {
  const port = await freePort()
  const variables = {
    STATEEVAL_URL: `http://someone:${secrets.query}@127.0.0.1:${port}`,
    STATEEVAL_API_KEY: secrets.bearer,
  }
  Object.assign(process.env, variables)
  try {
    const { code, out, err } = await stateeval('list', 'models')
    expect(code).toBe(2)
    expect(leaks(out + err)).toEqual([])
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
})

test('no line of any log and no answer holds a secret', async () => {
  await sendWhatGoesWrong()
  await runWhatSaysSecrets()
  await askWhoSaysKeys()
  // What was asked for is there to be looked at: all lines of what went wrong.
  await until(() => log.includes('spans are lost'))
  for (const word of ['answered', '/v1/keys/stateeval_', 'api_key=', 'job ended']) expect(log).toContain(word)
  expect(leaks(log)).toEqual([])
  // Callers get back what they sent, and what programs said.
  const expectedLeaks = ['body', 'candidate', 'query', `a key that was made: ${createdKeys[0]}`]
  expect(leaks(answers).filter((name) => !expectedLeaks.includes(name))).toEqual([])
})
