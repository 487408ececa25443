/** Comparisons on the real services: built-in models, answers made elsewhere, and what is refused. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type ComparisonResource, evaluationOperations, type Json } from '@stateeval/contracts'
import { createClient } from '@stateeval/client'
import { startSuite, type Suite, until } from '@stateeval/testkit'
import { createProgram } from '../../../apps/cli/src/program.ts'

let suite: Suite
const client = () => createClient(evaluationOperations, { baseUrl: suite.urls['evaluation'] as string })
beforeAll(async () => {
  suite = await startSuite()
  await Promise.all(Object.values(suite.services).map(({ context }) => context.bus.ready()))
}, 300_000)
afterAll(() => suite?.stop())

const build = async (seed: number, keep = 3) => {
  const { id } = await client().createBenchmark({ body: { build: { scenario: 'session-service', programs: keep + 1, keep, seed } } })
  await until(async () => (await client().getBenchmark({ params: { id } })).status === 'succeeded', { withinMs: 150_000, everyMs: 500 })
  return id
}
const evaluate = async (body: Record<string, Json>) => {
  const { id } = await client().createEvaluation({ body: body as never })
  await until(async () => (await client().getEvaluation({ params: { id } })).status === 'succeeded', { withinMs: 150_000, everyMs: 500 })
  return id
}

test('evaluations of one benchmark are compared; the command prints what the resource holds; other benchmarks are refused by name', async () => {
  const benchmark = await build(1)
  const prompts = (
    await client().getBenchmarkPrompts({ params: { id: benchmark }, query: { documentation: 'relevant', prompting: 'few-shot', shots: 1 } })
  )
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { case: string; messages: { content: string }[] })
  expect(prompts).toHaveLength(3)
  for (const { messages } of prompts) expect(messages[0]?.content).toContain('### Example 1')
  const reference = await evaluate({ benchmark, model: 'reference' })
  // Every case is answered wrongly, one of them not at all.
  const answers = prompts.flatMap(({ case: id }, n) =>
    [0, 1].map((sample) => ({ case: id, sample, answer: n === 0 ? 'I can’t.' : '```js\nRESULT = { wrong: await missing() }\n```' })),
  )
  const given = await evaluate({ benchmark, answers, samples: 2, label: 'poor' })

  const asked = client().createEvaluation({ body: { benchmark, answers, samples: 2, prompting: 'reflect' } })
  await expect(asked).rejects.toThrow(/can’t be asked again/)

  const report = await client().getEvaluationReport({ params: { id: given } })
  expect(report.result.errors?.byScenario).toEqual([{ name: 'session-service', failed: 6, syntax: 2, execution: 4, result: 0 }])
  expect(report.result.errors?.exceptions).toEqual([{ name: 'ReferenceError', samples: 4 }])
  expect(report.result.statistics?.passAtK.map(({ k }) => k)).toEqual([1, 2])

  const found: ComparisonResource = await client().createComparison({ body: { evaluations: [reference, given] } })
  expect(found.comparison.models).toMatchObject([
    { name: 'reference', rate: 1, samples: 3 },
    { name: 'poor', rate: 0, samples: 6 },
  ])
  expect(found.comparison.pairs).toMatchObject([
    {
      cases: 3,
      difference: 1,
      betterA: 3,
      betterB: 0,
      test: 'sign-flip',
      exact: true,
      p: 0.25,
      adjusted: 0.25,
      significant: false,
      leastDifference: null,
    },
  ])
  expect(await client().getComparison({ params: { id: found.id } })).toEqual(found)
  expect(await client().createComparison({ body: { evaluations: [reference, given] } })).toEqual(found)
  expect((await client().listComparisons({ query: {} })).items.map(({ id }) => id)).toEqual([found.id])

  process.env['STATEEVAL_URL'] = suite.urls['evaluation']
  const [out, err]: string[][] = [[], []]
  const streams = { stdout: { write: (text: string) => out?.push(text) }, stderr: { write: (text: string) => err?.push(text) } }
  const stateeval = createProgram(streams, new AbortController().signal)
  expect(await stateeval(['compare', reference, given])).toBe(0)
  expect(out?.join('')).toContain('reference – poor')
  expect(out?.join('')).toContain('0.2500')
  expect(out?.join('')).toContain('A case counts once, however many samples it has')

  const other = await evaluate({ benchmark: await build(2, 1), model: 'reference' })
  expect(await stateeval(['compare', reference, other])).toBe(2)
  expect(err?.join('')).toMatch(new RegExp(`different benchmarks can’t be compared: ${reference} is of ${benchmark} .*${other} is of `))
  expect(await stateeval(['compare', reference, reference])).toBe(2)
  expect(err?.join('')).toContain('named twice')
  expect(await stateeval(['compare', reference, 'ev_nowhere'])).toBe(2)
  expect(await stateeval(['compare', reference])).toBe(2)
  expect(err?.join('')).toContain('two evaluations or more')
}, 300_000)
