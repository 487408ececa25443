/** Items in flight follow what the replicas of execution hold, while an evaluation runs. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { buildRollCall, subjects, type ReplicaState } from '@stateeval/contracts'
import { type Servers, startServers, until } from '@stateeval/testkit'
import { startWithFakes, type WithFakes } from './fake-services.ts'
import { callerAt } from './over-http.ts'

let servers: Servers
let world: WithFakes
/** What runs for samples waits for it; checks of the reference don’t. */
let gate: Promise<void> = Promise.resolve()
const caller = callerAt(() => world.running.url)
beforeAll(async () => {
  servers = await startServers()
  world = await startWithFakes(servers, {
    sweepEveryMs: 200,
    disturb: (kind, id) => (kind === 'execute' && id.includes('/samples/') ? gate : Promise.resolve()),
  })
})
afterAll(async () => {
  await world?.stop()
  await servers?.stop()
})

test('replicas that are added find work of an evaluation that runs already', async () => {
  const { bus } = world.running.platform
  const set = await caller.buildSet({ scenario: 'session-service', programs: 12, keep: 6, seed: 1 })
  const request = { benchmark: set.id, model: 'mutant', samples: 20 }
  const before = await caller.begin(request)
  await caller.ended(before.id)

  const released = Promise.withResolvers<void>()
  gate = released.promise
  const { id } = await caller.begin(request)
  const inFlight = async () => {
    const { waiting, inFlight: taken } = await bus.queue(subjects.execute)
    return waiting + taken
  }
  await until(async () => (await inFlight()) === 16)
  const state: ReplicaState = {
    replica: { host: 'h', pid: 1, startedAt: '2026-01-01T00:00:00Z', problems: [], holds: 35 },
    queues: [],
  }
  bus.answerEach(buildRollCall('execution'), async () => state)
  await until(async () => (await inFlight()) === 70)

  released.resolve()
  expect(await caller.ended(id)).toMatchObject({ status: 'succeeded', counts: { scored: 120 } })
  const results = [before.id, id].map(async (one) => JSON.stringify((await caller.report(one)).result))
  const [narrow, wide] = await Promise.all(results)
  expect(wide).toBe(narrow)
})
