/** Limits on streams, webhooks and open episodes where many requests come at once, on real servers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runInProject } from '@stateeval/service-kit'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import type { EvaluationContext } from '../src/context.ts'
import { openLeases } from '@stateeval/environment'
import { startWithFakes, type WithFakes } from './fake-services.ts'

const [streams, episodes] = [2, 4]
let servers: Servers
const replicas: WithFakes[] = []
beforeAll(async () => {
  servers = await startServers()
  const started = { ns: namespace(), env: { STATEEVAL_LIMITS: `streams=${streams},episodes=${episodes}` } }
  for (let n = 0; n < 2; n++) replicas.push(await startWithFakes(servers, started))
})
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
const contextOf = (at: number) => replicas[at]!.running.context as EvaluationContext

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

test('webhooks that are created at the same time keep to their limit', async () => {
  const add = (at: number) => call(at, 'POST', '/v1/webhooks', { url: 'https://hooks.example.com/x' })
  let created = 0
  for (; created < 19; created++) expect((await add(0)).status).toBe(201)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)))
  for (const { status } of answers)
    if (status === 201) created++
    else expect(status).toBe(409)
  expect(created).toBeLessThanOrEqual(20)
})

const inDefault = <T>(work: () => Promise<T>) => runInProject('default', work)

test('of episodes that are opened at the same time, as many are as may be open', async () => {
  const { leases } = contextOf(0).environment
  const open = (id: string) =>
    inDefault(() => leases.renew(id, 60)).then(
      () => id,
      () => null,
    )
  const opened = await Promise.all(Array.from({ length: 12 }, (_, n) => open(`ep_${n}`)))
  expect(opened.filter((id) => id !== null)).toHaveLength(episodes)
  for (const id of opened) if (id !== null) await inDefault(() => leases.end(id))
})

test('a lease that is swept while it is renewed is taken anew', async () => {
  const { platform, environment } = contextOf(0)
  const { mongo, quota, now } = platform
  const { leases } = environment
  const stored = runInProject('default', () => mongo.collection<{ until: Date }>('episode-leases'))
  await stored.insertOne({ _id: 'ep_late', until: new Date(now().getTime() - 1) })
  // Another replica sweeps after this one has looked.
  const swept = openLeases({
    quota,
    now,
    mongo: {
      ...mongo,
      collection: (name: string) =>
        new Proxy(mongo.collection(name), {
          get: (target, key) =>
            key === 'updateOne'
              ? async (...args: Parameters<typeof target.updateOne>) => {
                  await inDefault(() => leases.sweep())
                  return target.updateOne(...args)
                }
              : (Reflect.get(target, key) as () => void).bind(target),
        }) as never,
    },
  })
  await inDefault(() => swept.renew('ep_late', 60))
  expect(await inDefault(() => leases.endOf('ep_late'))).not.toBeNull()
  await inDefault(() => leases.end('ep_late'))
})
