/**
 * A small evaluation isn't stuck behind a large one: each has so many items in flight, and they take turns.
 * Counted, not timed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { EvaluationResource } from '@stateeval/contracts'
import { type Servers, startServers, until } from '@stateeval/testkit'
import { startWithFakes, type WithFakes } from './fake-services.ts'
import { callerAt } from './over-http.ts'

let servers: Servers
let world: WithFakes
const caller = callerAt(() => world.running.url)
beforeAll(async () => {
  servers = await startServers()
  world = await startWithFakes(servers, { env: { STATEEVAL_WINDOW: '4' } })
})
afterAll(async () => {
  await world?.stop()
  await servers?.stop()
})

test('a small evaluation ends long before a large one that began first', async () => {
  const set = await caller.buildSet({ scenario: 'session-service', programs: 12, keep: 6, seed: 1 })
  const samples = 30
  const large = await caller.begin({ benchmark: set.id, model: 'mutant', samples })
  const scored = async () =>
    (await caller.get<EvaluationResource>(`/v1/evaluations/${large.id}`)).counts.scored
  await until(async () => (await scored()) > 0)
  const before = await scored()

  const small = await caller.begin({ benchmark: set.id, model: 'mutant', samples: 1 })
  expect((await caller.ended(small.id)).counts).toMatchObject({ samples: 6, scored: 6 })
  expect((await scored()) - before).toBeLessThan((samples * 6) / 2)
  await caller.call('POST', `/v1/evaluations/${large.id}/cancel`)
})
