/** The service as a process: what it says when it can't start, how it stops, and what a kill leaves. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { listOwners } from '@stateeval/testkit/end-with-owner'
import { namespace, type Servers, startServers, until } from '@stateeval/testkit'

const main = join(import.meta.dirname, '../src/main.ts')
let servers: Servers
let children: ChildProcess[] = []
beforeAll(async () => {
  servers = await startServers()
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
})
afterAll(() => servers?.stop())

interface Started {
  child: ChildProcess
  ended: Promise<{ code: number | null; stderr: string }>
  url: Promise<string>
}
function start(env: Record<string, string>): Started {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...listOwners(), PORT: '0', ...servers.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let stderr = ''
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stderr })),
  )
  const url = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const { url, msg } = JSON.parse(line) as { url?: string; msg: string }
      if (msg === 'listening' && url) resolve(url)
    })
  })
  return { child, ended, url }
}
interface Seen {
  id: string
  status: string
  progress: { done: number }
}
async function talk<T = Seen>(url: string, body?: unknown): Promise<T> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(url, init)
  return (await response.json()) as T
}
const isReady = (url: string) =>
  until(() =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )

test('an environment that does not fit ends it with 2 and says what to set', async () => {
  const { ended } = start({ PORT: 'many', LOG_LEVEL: 'loud' })
  const { code, stderr } = await ended
  expect(code).toBe(2)
  expect(stderr).toContain('PORT=many: set a whole number between 0 and 65535')
  expect(stderr).toContain('LOG_LEVEL=loud: set one of')
  expect(stderr).not.toContain('at ')
})

test('it starts while its servers are away, and stops at a signal', async () => {
  const { child, ended, url } = start({
    MONGODB_URI: 'mongodb://127.0.0.1:1',
    NATS_URL: 'nats://127.0.0.1:1',
  })
  const base = await url
  expect((await fetch(`${base}/health/live`)).status).toBe(200)
  const created = await fetch(`${base}/v1/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"scenario":"session-service"}',
  })
  expect(created.status).toBe(503)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('killed in the middle of a generation, its successor ends it with the same programs', async () => {
  const env = { STATEEVAL_NAMESPACE: namespace() }
  const options = { scenario: 'session-service', strategy: 'coverage', count: 30, seed: 9 }
  const first = start(env)
  const url = await first.url
  await isReady(url)
  const whole = await talk(`${url}/v1/generations`, options)
  const cut = await talk(`${url}/v1/generations`, options)
  await until(async () => (await talk(`${url}/v1/generations/${cut.id}`)).status === 'running')
  first.child.kill('SIGKILL')
  await first.ended

  const next = await start(env).url
  const programs = async (id: string) => {
    await until(async () => (await talk(`${next}/v1/generations/${id}`)).status === 'succeeded')
    return talk<{ items: { id: string }[] }>(`${next}/v1/generations/${id}/programs`)
  }
  const [one, two] = [await programs(whole.id), await programs(cut.id)]
  expect(two).toEqual(one)
  expect(two.items).toHaveLength(30)
})
