/** Limits on streams where many requests come at the same time, on real servers. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import { startWithFakes, type WithFakes } from './fake-services.ts'

jest.setTimeout(300_000)
const streams = 2
let servers: Servers
const replicas: WithFakes[] = []
beforeAll(async () => {
  servers = await startServers()
  const started = { ns: namespace(), env: { STATEEVAL_LIMITS: `streams=${streams}` } }
  for (let n = 0; n < 2; n++) replicas.push(await startWithFakes(servers, started))
}, 300_000)
afterAll(async () => {
  for (const replica of replicas) await replica.stop()
  await servers?.stop()
})

async function call<T>(at: number, method: 'POST' | 'DELETE', url: string, payload?: object) {
  const { running } = replicas[at % replicas.length]!
  const answer = await running.app.inject({ method, url, ...(payload && { payload }) })
  return { status: answer.statusCode, body: (answer.body && answer.json()) as T }
}
const create = (at: number) =>
  call<{ id: string; detail: string }>(at, 'POST', '/v1/streams', {
    options: { scenario: 'session-service' },
  })

test('of streams that are created at the same time, as many are as may be; a deleted one makes room at once', async () => {
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => create(n)))
    const created = answers.filter(({ status }) => status === 201)
    expect(created).toHaveLength(streams)
    for (const { status, body } of answers)
      if (status !== 201) expect([status, body.detail]).toEqual([429, expect.stringContaining('2 streams')])
    for (const { body } of created)
      expect((await call(1, 'DELETE', `/v1/streams/${body.id}`)).status).toBe(204)
  }
})
