import { afterEach, expect, test } from '@jest/globals'
import { type Script, type ScriptedModel, startScriptedModel } from '../../testkit/src/scripted-model.ts'
import { checkHost, createModelClient, faultOfBaseUrl, mayNameKey, readKey } from '../src/index.ts'

const servers: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})
const serve = async (...scripts: Script[]) => {
  const server = await startScriptedModel(({ count }) => scripts[Math.min(count, scripts.length - 1)] as Script)
  servers.push(server)
  return server
}
const secret = 'sk-very-secret'
const client = (pauses: number[] = []) =>
  createModelClient({ env: { STATEEVAL_KEY_T: secret }, retries: 2, backoffMs: 1, pause: async (ms) => void pauses.push(ms) })
const chat = (server: ScriptedModel, settings = {}, pauses: number[] = []) =>
  client(pauses).chat(
    { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', ...settings } },
    [{ role: 'user', content: 'hi' }],
    new AbortController().signal,
  )

test('an answer comes with its usage; the key and the parameters are sent', async () => {
  const server = await serve({ say: 'hello' })
  const reply = await chat(server, { keyEnv: 'STATEEVAL_KEY_T', parameters: { temperature: 0 } })
  expect(reply).toEqual({ status: 'done', text: 'hello', usage: { requests: 1, promptTokens: 10, completionTokens: 5 }, retries: 0 })
  expect(server.requests[0]).toMatchObject({ authorization: `Bearer ${secret}`, model: 'x', parameters: { temperature: 0 } })
})

test('a busy or broken endpoint is tried again, as late as it asks', async () => {
  const pauses: number[] = []
  const server = await serve({ status: 429, headers: { 'retry-after': '7' } }, { status: 500 }, { say: 'at last' })
  expect(await chat(server, {}, pauses)).toMatchObject({ status: 'done', text: 'at last', retries: 2 })
  expect(pauses).toEqual([7000, 2])
})

test('garbage, hanging up and silence are failures after the retries, not exceptions', async () => {
  for (const script of [{ garbage: '<html>' }, { garbage: '{"choices":[]}' }, { close: true }, { hang: true }] as Script[]) {
    const server = await serve(script)
    const reply = await chat(server, { timeoutMs: 100 })
    expect(reply).toMatchObject({ status: 'failed', retries: 2 })
    expect(server.requests).toHaveLength(3)
  }
})

test('what another try can’t change is refused at once, and no text holds the key', async () => {
  const server = await serve({ status: 401, message: `bad key ${secret}` })
  const reply = await chat(server, { keyEnv: 'STATEEVAL_KEY_T' })
  expect(reply).toMatchObject({ status: 'refused', retries: 0 })
  expect(JSON.stringify(reply)).not.toContain(secret)
  expect(await chat(server, { keyEnv: 'STATEEVAL_KEY_MISSING' })).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining('STATEEVAL_KEY_MISSING is not set'),
  })
  expect(await chat(server, { keyEnv: 'HOME' })).toMatchObject({ status: 'refused', reason: expect.stringContaining('may not be named') })
  expect(server.requests).toHaveLength(1)
})

test('a redirect is not followed', async () => {
  const other = await serve({ say: 'stolen' })
  const server = await serve({ status: 302, headers: { location: `${other.baseUrl}/chat/completions` } })
  expect(await chat(server)).toMatchObject({ status: 'failed' })
  expect(other.requests).toHaveLength(0)
})

test('no more requests at a time than the model allows', async () => {
  const server = await serve({ say: 'x', afterMs: 20 })
  const one = client()
  const model = { name: 'm', settings: { baseUrl: server.baseUrl, model: 'x', concurrency: 2 } }
  await Promise.all(Array.from({ length: 7 }, () => one.chat(model, [], new AbortController().signal)))
  expect(server.requests).toHaveLength(7)
  expect(server.peak).toBe(2)
})

test.each([
  ['STATEEVAL_KEY_X', true],
  ['MY_KEY', true],
  ['STATEEVAL_KEY_', false],
  ['STATEEVAL_KEY_NAMES', false],
  ['MONGODB_URI', false],
])('%s may be named: %s', (name, allowed) => {
  expect(mayNameKey(name, { STATEEVAL_KEY_NAMES: 'MY_KEY, STATEEVAL_KEY_NAMES' })).toBe(allowed)
  if (!allowed) expect(readKey(name, { [name]: 'x' }).ok).toBe(false)
})

test.each([
  'http://169.254.169.254/v1',
  'http://[fe80::1]/v1',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://metadata.google.internal/',
  'http://metadata.google.internal./v1',
  'http://[fd00:ec2::254]/',
  'ftp://x/',
  'http://user:pw@x/',
  'http://x/?key=1',
  'nonsense',
])('%s is refused as a base URL', (url) => {
  expect(faultOfBaseUrl(url)).not.toBeNull()
})
test.each(['http://127.0.0.1:8000/v1', 'https://api.openai.com/v1', 'http://[::1]:8000', 'http://models.internal/v1'])(
  '%s is taken',
  (url) => {
    expect(faultOfBaseUrl(url)).toBeNull()
  },
)

test('a name that resolves to a metadata address is refused at call time', async () => {
  const to = (address: string) => async () => [
    { address: '10.0.0.1', family: 4 },
    { address, family: 4 },
  ]
  expect(await checkHost('http://evil.example/v1', to('169.254.169.254'))).toMatchObject({
    ok: false,
    reason: expect.stringContaining('169.254.169.254'),
  })
  expect(await checkHost('http://fine.example/v1', to('10.0.0.2'))).toEqual({ ok: true })
})
