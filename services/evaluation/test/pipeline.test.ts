/** All five services in one process on real servers: the pipeline end to end, with real code in the real sandbox. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import type { BenchmarkResource, EvaluationResource, Report } from '@stateeval/contracts'
import { type Servers, startServers, startSuite, type Suite, until } from '@stateeval/testkit'

jest.setTimeout(240_000)
let servers: Servers
const suites: Suite[] = []
beforeAll(async () => {
  servers = await startServers()
}, 300_000)
afterAll(async () => {
  for (const suite of suites) await suite.stop()
  await servers?.stop()
})
async function start(env: Record<string, string>): Promise<Suite> {
  const suite = await startSuite({ servers, env })
  suites.push(suite)
  await Promise.all(Object.values(suite.services).map(({ context }) => context.bus.ready()))
  return suite
}
const urlOf = (suite: Suite, path: string) => `${suite.urls['evaluation']}${path}`
const text = async (suite: Suite, path: string) => (await fetch(urlOf(suite, path))).text()
const get = async <T>(suite: Suite, path: string) => JSON.parse(await text(suite, path)) as T
async function job<T extends { id: string; status: string; error?: string }>(suite: Suite, path: string, body: object) {
  const response = await fetch(urlOf(suite, path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const accepted = (await response.json()) as T
  expect([response.status, accepted]).toEqual([202, expect.anything()])
  const ended = async () => {
    const now = await get<T>(suite, `${path}/${accepted.id}`)
    return now.status !== 'running' && now.status !== 'queued' && now
  }
  return (await until(ended, { withinMs: 120_000, everyMs: 200 })) as T
}

function firstDifference(a: string, b: string): string[] | null {
  if (a === b) return null
  let at = 0
  while (a[at] === b[at]) at++
  return [a, b].map((one) => one.slice(Math.max(0, at - 100), at + 60))
}

const build = { scenario: 'session-service', strategy: 'coverage', programs: 6, keep: 3, seed: 7 }
/** What must be the same wherever and however often it is made. */
async function all(suite: Suite): Promise<{ bytes: string[]; reference: Report; mutant: Report }> {
  const set = await job<BenchmarkResource>(suite, '/v1/benchmarks', { build })
  expect(set).toMatchObject({ status: 'succeeded', manifest: { counts: { generated: 6, kept: 3 } } })
  const report = async (request: object) => {
    const { id, status, error } = await job<EvaluationResource>(suite, '/v1/evaluations', { benchmark: set.id, ...request })
    expect([status, error]).toEqual(['succeeded', undefined])
    return get<Report>(suite, `/v1/evaluations/${id}/report`)
  }
  const reference = await report({ model: 'reference' })
  const mutant = await report({ model: 'mutant', samples: 2 })
  const files = await Promise.all(
    ['manifest.json', 'cases.jsonl', 'README.md'].map((file) => text(suite, `/v1/benchmarks/${set.id}/files/${file}`)),
  )
  return { bytes: [...files, JSON.stringify(reference.result), JSON.stringify(mutant.result)], reference, mutant }
}

test('one worker and four workers give the same bytes: set, reference and mutant', async () => {
  const one = await all(await start({ STATEEVAL_CONCURRENCY: '1' }))
  expect(one.reference.result.overall).toMatchObject({ passed: 3, scored: 3, rate: 1 })
  expect(one.reference.run).toMatchObject({ retries: 0, selfCheck: { status: 'passed', cached: true } })
  expect(one.mutant.result.samples).toHaveLength(6)
  expect(one.mutant.result.mutation).toMatchObject({ disputed: 0 })
  expect(one.mutant.result.mutation?.caught).toBeGreaterThan(0)
  const four = await all(await start({ STATEEVAL_CONCURRENCY: '4' }))
  // The first place that differs says more than both texts.
  for (const [at, bytes] of four.bytes.entries()) expect(firstDifference(bytes, one.bytes[at] as string)).toBeNull()
})
