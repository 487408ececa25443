/**
 * kill -9 in the middle of a batch or a tool session: what was asked for once is done, in its order, and
 * nobody sees another's world.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Execution } from '@stateeval/contracts'
import {
  namespace,
  type Servers,
  type ServiceProcess,
  startProcess,
  startServers,
  until,
} from '@stateeval/testkit'

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
})
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
  const { body: execution } = await create()
  await until(async () => (await talk(execution.links['self']!)).body.progress.done >= 3)
  await service.kill()
  await service.start()
  const now = async () => {
    const { body } = await talk(execution.links['self']!)
    return body.status === 'queued' || body.status === 'running' ? null : body
  }
  const done = await until(now)
  expect(done).toMatchObject({ status: 'succeeded', progress: { done: count, total: count } })
  expect(done.results?.map(({ observations }) => observations[0]?.ending)).toEqual(
    batch.map((_, n) => ({ status: 'completed', result: [n] })),
  )
  expect((await create()).body.id).toBe(execution.id)
})

test('a session whose service is killed between calls goes on, and its replies stay the same', async () => {
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    return (await response.json()) as T
  }
  const { id } = await ask<{ id: string }>('/v1/sessions', {
    world: 'session-service',
    input: { variables: {}, world: { items: [] } },
  })
  const call = (index: number) =>
    ask<{ results: { content: string }[] }>(`/v1/sessions/${id}/calls`, {
      index,
      calls: [
        {
          id: `c${index}`,
          name: 'addSession',
          arguments: JSON.stringify({ source: 'web', type: 'settings', data: { index } }),
        },
      ],
    })
  const replies: unknown[] = []
  for (let index = 0; index < 4; index++) {
    replies.push(await call(index))
    if (index % 2 === 1) {
      await service.kill()
      await service.start()
    }
  }
  for (const [index, reply] of replies.entries()) expect(await call(index)).toEqual(reply)
  const { observations } = await ask<{ observations: { world: { ids: { created: string[] } } }[] }>(
    `/v1/sessions/${id}/close`,
    {},
  )
  const ids = (replies as { results: { content: string }[] }[]).map(
    ({ results }) => (JSON.parse(results[0]!.content) as { id: string }).id,
  )
  expect(observations[0]!.world.ids.created).toEqual(ids)
})
