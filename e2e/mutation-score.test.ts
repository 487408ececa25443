/**
 * Does the oracle notice mistakes? Per scenario a set of 40 cases as `stateeval build` makes it: its
 * references pass in every language of this machine, and of 400 mutants, run in the real sandbox against real
 * worlds, at least 98 % of those that are not equivalent to their reference are caught. A quarter of an hour
 * on two cores: part of the long tests.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { isLong, type Servers, startServers, startSuite, type Suite } from '@stateeval/testkit'
import { callerAt } from '../services/evaluation/test/over-http.ts'

const when = isLong ? test : test.skip
if (!isLong) console.log('skipped: it is part of the long tests')

let servers: Servers | undefined
let suite: Suite | undefined
const evaluation = callerAt(() => suite!.urls['evaluation']!)
const execution = callerAt(() => suite!.urls['execution']!)
beforeAll(async () => {
  if (!isLong) return
  servers = await startServers()
  suite = await startSuite({ servers })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
})
afterAll(async () => {
  await suite?.stop()
  await servers?.stop()
})

const sets = ['session-service', 'tensor-operation', 'elevenlabs-mcp'].flatMap((scenario) => [
  ['', scenario, {}] as const,
  ['nested branches, ', scenario, { branches: 2.5, length: 6 }] as const,
])
when.each(sets)('%sreferences and 400 mutants of %s', async (_, scenario, options) => {
  const worlds = (await execution.get<{ items: { id: string; languages: string[] }[] }>('/v1/worlds')).items
  const { languages } = worlds.find(({ id }) => id === scenario)!
  const { id: benchmark, manifest } = await evaluation.buildSet({
    scenario,
    programs: 60,
    keep: 40,
    seed: 1,
    languages,
    ...options,
  })
  expect(manifest?.counts.kept).toBe(40)
  const result = async (request: object) => {
    const { id } = await evaluation.begin({ benchmark, ...request })
    await evaluation.ended(id)
    return (await evaluation.report(id)).result
  }
  for (const language of languages)
    expect((await result({ model: 'reference', language })).overall).toMatchObject({
      scored: 40,
      passed: 40,
    })
  expect((await result({ model: 'reference', mode: 'tools' })).overall).toMatchObject({
    scored: 40,
    passed: 40,
  })
  const { samples, mutation } = await result({ model: 'mutant', samples: 10, seed: 1 })
  const { survived, disputed, score, interval, operators, survivors } = mutation!
  const caught = operators.reduce((sum, operator) => sum + operator.caught, 0)
  console.log(
    `${scenario} (${languages.join(', ')}): ${caught} of ${caught + survived} caught = ${score}, ${JSON.stringify(interval)}; survivors: ${JSON.stringify(survivors)}`,
  )
  expect(samples).toHaveLength(400)
  expect(disputed).toBe(0)
  expect(score).toBeGreaterThanOrEqual(0.98)
})
