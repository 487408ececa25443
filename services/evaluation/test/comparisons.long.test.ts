/**
 * Comparisons over HTTP and by the command, on real servers; generation, translation and execution are
 * stand-ins.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createClient } from '@stateeval/client'
import {
  type ComparisonResource,
  evaluationOperations,
  type EvaluationRequest,
  type GateRequest,
} from '@stateeval/contracts'
import { type Servers, startServers, until } from '@stateeval/testkit'
import { createProgram } from '../../../apps/cli/src/program.ts'
import { startWithFakes, type WithFakes } from './fake-services.ts'

let servers: Servers
let world: WithFakes
const client = () => createClient(evaluationOperations, { baseUrl: world.running.url })
beforeAll(async () => {
  servers = await startServers()
  world = await startWithFakes(servers, { sweepEveryMs: 500 })
})
afterAll(async () => {
  await world?.stop()
  await servers?.stop()
})

const patience = { everyMs: 200 }
const build = async (keep: number) => {
  const { id } = await client().createBenchmark({
    body: {
      build: { scenario: 'session-service', strategy: 'coverage', programs: keep + 4, keep, length: 3 },
    },
  })
  await until(async () => (await client().getBenchmark({ params: { id } })).status === 'succeeded', patience)
  return id
}
const evaluate = async (body: EvaluationRequest) => {
  const { id } = await client().createEvaluation({ body })
  await until(async () => (await client().getEvaluation({ params: { id } })).status === 'succeeded', patience)
  return id
}

test('evaluations of one benchmark are compared; the command prints what the resource holds; other benchmarks are refused by name', async () => {
  const benchmark = await build(6)
  const prompts = (await client().getBenchmarkPrompts({ params: { id: benchmark }, query: {} }))
    .trim()
    .split('\n')
  const answers = prompts.flatMap((line) =>
    [0, 1].map((sample) => ({ case: (JSON.parse(line) as { case: string }).case, sample, answer: 'no' })),
  )
  const reference = await evaluate({ benchmark, model: 'reference' })
  const poor = await evaluate({ benchmark, answers, samples: 2, label: 'poor' })

  const comparison: ComparisonResource = await client().createComparison({
    body: { evaluations: [reference, poor] },
  })
  expect(comparison.comparison.models).toMatchObject([
    { name: 'reference', rate: 1, samples: 6 },
    { name: 'poor', rate: 0, samples: 12 },
  ])
  expect(comparison.comparison.pairs).toMatchObject([
    {
      cases: 6,
      difference: 1,
      betterA: 6,
      betterB: 0,
      test: 'sign-flip',
      exact: true,
      p: 0.03125,
      adjusted: 0.03125,
      significant: true,
    },
  ])
  expect(await client().getComparison({ params: { id: comparison.id } })).toEqual(comparison)
  expect(await client().createComparison({ body: { evaluations: [reference, poor] } })).toEqual(comparison)
  expect((await client().listComparisons({ query: {} })).items.map(({ id }) => id)).toEqual([comparison.id])

  process.env['STATEEVAL_URL'] = world.running.url
  const [out, err]: [string[], string[]] = [[], []]
  const streams = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  }
  const stateeval = createProgram(streams, new AbortController().signal)
  expect(await stateeval(['compare', reference, poor])).toBe(0)
  expect(out.join('')).toContain('reference – poor')
  expect(out.join('')).toContain('0.0313')
  expect(out.join('')).toContain('Each case counts once, regardless of its number of samples')

  const other = await evaluate({ benchmark: await build(2), model: 'reference' })
  expect(await stateeval(['compare', reference, other])).toBe(2)
  expect(err.join('')).toMatch(
    new RegExp(`different benchmarks cannot be compared: ${reference} is of ${benchmark} .*${other} is of `),
  )
  expect(await stateeval(['compare', reference, reference])).toBe(2)
  expect(err.join('')).toContain('named twice')
  expect(await stateeval(['compare', reference, 'ev_nowhere'])).toBe(2)
  expect(await stateeval(['compare', reference])).toBe(2)
  expect(err.join('')).toContain('Name two or more evaluations')
})

test('a gate holds an evaluation against thresholds and a baseline; what cannot be compared is refused with the field and a remedy', async () => {
  const benchmark = await build(6)
  const prompts = (await client().getBenchmarkPrompts({ params: { id: benchmark }, query: {} }))
    .trim()
    .split('\n')
  const cases = prompts.map((line) => (JSON.parse(line) as { case: string }).case)
  const reference = await evaluate({ benchmark, model: 'reference' })
  const answers = cases.slice(1).map((id) => ({ case: id, answer: 'no' }))
  const poor = await evaluate({ benchmark, answers, partial: true, label: 'poor' })
  const check = (id: string, body: GateRequest) => client().checkGate({ params: { id }, body })

  expect(await check(reference, { minRate: 1 })).toMatchObject({
    passed: true,
    evaluation: reference,
    overall: { passed: 6, scored: 6 },
    checks: [
      { name: 'rate', passed: true, says: 'The pass rate of 100.0 % reaches the minimum of 100 %.' },
      { name: 'unscored', passed: true, says: 'Every sample has a score.' },
    ],
  })
  const failed = await check(poor, { baseline: reference, maxRegression: 0.02, maxUnscored: 1 })
  expect(failed).toMatchObject({
    passed: false,
    baseline: reference,
    notScored: 1,
    checks: [
      { name: 'unscored', passed: true, says: '1 sample has no score; at most 1 may have none.' },
      { name: 'regression', passed: false, says: expect.stringContaining('allowed drop of 2 points') },
    ],
    // The sample without a score counts as failed: the baseline scored it.
    comparison: { cases: 6, difference: -1, p: 0.03125, regressed: 6, improved: 0 },
  })
  expect(failed.comparison?.regressions.map((flip) => flip.case)).toEqual(cases)
  expect(await check(poor, { baseline: reference, significant: true, maxUnscoredShare: 1 })).toMatchObject({
    passed: false,
    notes: ['1 sample without a score counts as failed; with `unscored` excluded it is not compared.'],
  })
  expect(
    await check(poor, {
      ...{ baseline: reference, significant: true, maxUnscoredShare: 1 },
      unscored: 'excluded',
    }),
  ).toMatchObject({
    passed: true,
    notes: [
      '1 scored sample of the baseline has no scored counterpart in this evaluation and is not compared.',
      expect.stringContaining('This gate cannot fail'),
    ],
  })
  expect(await check(reference, { baseline: poor, significant: true })).toMatchObject({ passed: true })

  const refused = (id: string, body: GateRequest) =>
    check(id, body).then(
      () => null,
      ({
        problem: { status, field, detail },
      }: {
        problem: { status: number; field?: string; detail: string }
      }) => [status, field, detail],
    )
  const other = await evaluate({ benchmark: await build(2), model: 'reference' })
  const compared = { baseline: other, significant: true }
  expect(await refused(reference, compared)).toEqual([
    422,
    '/baseline',
    expect.stringMatching(/which has other cases than .*; name an evaluation of the same benchmark/),
  ])
  expect(await refused(reference, { ...compared, baseline: reference })).toEqual([
    422,
    '/baseline',
    expect.stringContaining('is the evaluation itself; name an earlier one'),
  ])
  expect(await refused(reference, { ...compared, baseline: 'ev_nowhere' })).toEqual([
    404,
    '/baseline',
    expect.stringContaining(
      'the baseline cannot be used: there is no evaluation "ev_nowhere"; GET /v1/evaluations',
    ),
  ])
  expect(await refused(reference, { baseline: poor })).toEqual([
    422,
    '/baseline',
    expect.stringContaining('add maxRegression or significant'),
  ])
  expect(await refused(reference, { maxRegression: 0 })).toEqual([
    422,
    '/maxRegression',
    expect.stringContaining('name the evaluation to compare with'),
  ])
  expect(await refused(reference, { maxUnscored: 1, maxUnscoredShare: 1 })).toEqual([
    422,
    '/maxUnscoredShare',
    expect.stringContaining('not both'),
  ])
  expect(await refused(reference, {})).toEqual([422, '', expect.stringContaining('has no threshold')])
})
