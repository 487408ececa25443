/**
 * Cases answered by calling tools on live worlds: of each scenario the reference, replayed as calls, passes,
 * and mutants of it are caught. STATEEVAL_LONG takes 40 cases and 120 mutants of each; a third of an hour on
 * two cores.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type Servers, startServers, startSuite, type Suite } from '@stateeval/testkit'
import { callerAt } from '../services/evaluation/test/over-http.ts'

jest.setTimeout(3_600_000)
const isLong = process.env['STATEEVAL_LONG'] === '1'
const size = isLong ? { programs: 60, keep: 40, samples: 3 } : { programs: 4, keep: 2, samples: 2 }

let servers: Servers
let suite: Suite
const evaluation = callerAt(() => suite.urls['evaluation']!)
beforeAll(async () => {
  servers = await startServers()
  suite = await startSuite({ servers })
  await Promise.all(Object.values(suite.services).map(({ context }) => context.bus.ready()))
}, 120_000)
afterAll(async () => {
  await suite?.stop()
  await servers?.stop()
})

test.each(['session-service', 'tensor-operation', 'elevenlabs-mcp'])(
  'reference and mutants of %s',
  async (scenario) => {
    const { programs, keep } = size
    const { id: benchmark } = await evaluation.buildSet({ scenario, programs, keep, seed: 1 })
    const resultOf = async (request: object) => {
      const { id } = await evaluation.begin({ benchmark, mode: 'tools', ...request })
      expect(await evaluation.ended(id)).toMatchObject({ status: 'succeeded' })
      return (await evaluation.report(id)).result
    }
    const reference = await resultOf({ model: 'reference' })
    expect(reference.overall).toMatchObject({ scored: keep, passed: keep })
    const { mutation, samples } = await resultOf({ model: 'mutant', samples: size.samples, seed: 1 })
    const { survived, disputed, score, operators, survivors, equivalent } = mutation!
    const caught = operators.reduce((sum, operator) => sum + operator.caught, 0)
    console.log(
      `${scenario}: ${caught} of ${caught + survived} caught = ${score}, ${equivalent} equivalent; survivors: ${JSON.stringify(survivors)}; verdicts of mutants: ${JSON.stringify(Object.entries(Object.groupBy(samples, (one) => one.score?.verdict ?? 'none')).map(([name, list]) => [name, list?.length]))}`,
    )
    expect(disputed).toBe(0)
    if (isLong) expect(score).toBeGreaterThanOrEqual(0.95)
  },
)
