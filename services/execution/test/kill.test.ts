/** kill -9 in the middle of a batch: what was asked for once is done, in its order, and no program sees another's run. */
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { Execution } from '@stateeval/contracts'
import { freePort, killed, namespace, type Servers, startProcess, startServers, until } from '@stateeval/testkit'

jest.setTimeout(120_000)
let servers: Servers
let child: ChildProcess
let port: number
const ns = namespace()
const env = () => ({ ...servers.env, STATEEVAL_NAMESPACE: ns, STATEEVAL_CONCURRENCY: '2', HOST: '127.0.0.1', LOG_LEVEL: 'error' })
const start = async () => (child = await startProcess('execution', port, env()))
beforeAll(async () => {
  servers = await startServers()
  port = await freePort()
  await start()
}, 200_000)
afterAll(async () => {
  child?.kill('SIGKILL')
  await servers?.stop()
})

async function talk(path: string, init: RequestInit = {}): Promise<{ status: number; body: Execution }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  return { status: response.status, body: (await response.json()) as Execution }
}
/** Adds a session and tells which there are. */
const code = `const axios = require('axios')
  const sessions = \`\${BASE_URL}/api/sessions/web/settings\`
  await axios.post(sessions, { n })
  await new Promise((go) => setTimeout(go, 300))
  RESULT = (await axios.get(sessions)).data.map(({ data }) => data.n)`
const count = 12
const batch = Array.from({ length: count }, (_, n) => ({
  language: 'javascript',
  world: 'session-service',
  code,
  inputs: [{ variables: { n }, world: { items: [] } }],
}))
const create = () =>
  talk('/v1/executions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'batch' },
    body: JSON.stringify({ batch }),
  })

test('a batch whose service is killed has every result, in order', async () => {
  const { body: made } = await create()
  await until(async () => (await talk(made.links['self']!)).body.progress.done >= 3, { withinMs: 60_000 })
  await killed(child)
  await start()
  const now = async () => {
    const { body } = await talk(made.links['self']!)
    return body.status === 'queued' || body.status === 'running' ? null : body
  }
  const done = await until(now, { withinMs: 60_000 })
  expect(done).toMatchObject({ status: 'succeeded', progress: { done: count, total: count } })
  expect(done.results?.map(({ observations }) => observations[0]?.ending)).toEqual(
    batch.map((_, n) => ({ status: 'completed', result: [n] })),
  )
  expect((await create()).body.id).toBe(made.id)
})
