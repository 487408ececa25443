/** kill -9 in the middle of a batch: what was asked for once is done, in its order, and no program sees another's run. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { Execution } from '@stateeval/contracts'
import {
  namespace,
  type Servers,
  type ServiceProcess,
  startProcess,
  startServers,
  until,
} from '@stateeval/testkit'

jest.setTimeout(120_000)
let servers: Servers
let service: ServiceProcess
beforeAll(async () => {
  servers = await startServers()
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_CONCURRENCY: '2',
    LOG_LEVEL: 'error',
  }
  service = await startProcess('execution', env)
}, 200_000)
afterAll(async () => {
  await service?.kill()
  await servers?.stop()
})

async function talk(path: string, init: RequestInit = {}): Promise<{ status: number; body: Execution }> {
  const response = await fetch(`${service.url}${path}`, init)
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
  await service.kill()
  await service.start()
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
