/**
 * A database that dies during a run is the infrastructure's fault, and the world is usable once it is back.
 */
import { Agent, request } from 'node:http'
import { duplexPair } from 'node:stream'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { patience } from '@stateeval/testkit/patience'
import type { ExecutionLimits } from '@stateeval/contracts'
import { startServers, type Servers } from '@stateeval/testkit'
import { createSessionWorld, type OpenSessionWorld } from '../world.ts'

let servers: Servers
beforeAll(async () => {
  // Its own server, whatever the environment names: this test kills it.
  const { MONGODB_URI: _, ...env } = process.env
  servers = await startServers(env)
})
afterAll(() => servers.stop())

const limits: ExecutionLimits = {
  wallMs: 1000,
  cpuSeconds: 1,
  memoryMiB: 64,
  outputKiB: 1,
  resultKiB: 1,
  processes: 16,
  requests: 100,
}

function post(run: OpenSessionWorld, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const agent = new Agent()
    agent.createConnection = () => {
      const [ours, theirs] = duplexPair()
      if (run.channel.kind === 'http') run.channel.accept(theirs)
      return ours
    }
    const sent = request(
      { host: 'x', method: 'POST', path: '/api/sessions/clinic/settings', agent },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

test('a database that dies makes a fault; when it is back the world is fresh', async () => {
  const world = createSessionWorld({
    mongodb: `${servers.mongoUri}/?serverSelectionTimeoutMS=${patience(300)}`,
    prefix: 'faults',
    poolSize: 1,
  })
  const run = await world.open({ items: [] }, limits, 'seed')
  expect(await post(run, '{"before":1}')).toBe(200)
  await servers.kill()
  expect(await post(run, '{"during":1}')).toBe(503)
  const { faults, log } = await run.observe()
  expect(faults.length).toBeGreaterThan(0)
  expect(log.map(({ status }) => status)).toEqual([200, 503])
  await run.close()
  await expect(world.open({ items: [] }, limits, 'seed')).rejects.toThrow()
  await servers.restart()
  const next = await world.open(
    { items: [{ source: 'clinic', type: 'settings', data: { a: 1 } }] },
    limits,
    'seed',
  )
  const { world: state, faults: none } = await next.observe()
  expect((state.state as { items: unknown[] }).items).toHaveLength(1)
  expect(none).toEqual([])
  await next.close()
  await world.close()
})
