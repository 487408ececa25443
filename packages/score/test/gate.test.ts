/**
 * Gates against values computed by hand, against scipy's (fixtures/statistics.json), and against every choice
 * of signs, counted one by one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { GateRequest, ScoredSample } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import fc from 'fast-check'
import { judgeGate as judge, pairSamples, roundNumber } from '../src/index.ts'

/** With few draws of the interval, which no verdict depends on. */
const judgeGate = (...[result, thresholds, baseline]: Parameters<typeof judge>) =>
  judge(result, thresholds, baseline, { draws: 200 })

/** What became of a sample: passed, failed, or not scored. */
type Outcome = boolean | null
/** Outcomes by case and sample, as a report's result. */
function resultOf(outcomes: readonly Outcome[][], about: { version?: string; options?: object } = {}) {
  const samples = outcomes.flatMap((ofCase, at) =>
    ofCase.map((passed, sample): ScoredSample => {
      const evidence = { differences: [] }
      const verdict = passed ? 'passed' : 'result_error'
      const score = passed === null ? null : { passed, verdict, metrics: {}, evidence }
      return { case: `case ${at}`, sample, score }
    }),
  )
  const scores = samples.flatMap(({ score }) => score ?? [])
  const [passed, scored] = [scores.filter((one) => one.passed).length, scores.length]
  return {
    digest: 'd',
    options: { ...about.options },
    version: about.version ?? '1',
    overall: { passed, scored, rate: scored ? roundNumber(passed / scored) : null, interval: null },
    notScored: samples.length - scored,
    samples,
  }
}
const single = (passed: number, failed: number, notScored = 0) =>
  resultOf([
    ...Array.from({ length: passed }, () => [true]),
    ...Array.from({ length: failed }, () => [false]),
    ...Array.from({ length: notScored }, () => [null]),
  ])
/** An evaluation and its baseline: `worse` cases pass in the baseline only, `better` ones not there. */
function pairOf(cases: number, worse: number, better: number) {
  const both = Array.from({ length: cases }, (_, n) => n)
  const evaluation = resultOf(both.map((n) => [n >= worse]))
  const baseline = resultOf(both.map((n) => [n < worse || n >= worse + better]))
  return [evaluation, baseline] as const
}
const saysOf = (verdict: ReturnType<typeof judgeGate>, name: string) =>
  verdict.checks.find((check) => check.name === name)?.says

test.each([
  [single(9, 31), 0.8, false, 'The pass rate of 22.5 % is lower than the minimum of 80 %.'],
  [single(1999, 501), 0.8, false, 'The pass rate of 79.96 % is lower than the minimum of 80 %.'],
  [single(20, 20), 0.825, false, 'The pass rate of 50.0 % is lower than the minimum of 82.5 %.'],
  [single(1, 2), 1 / 3, true, 'The pass rate of 33.3 % reaches the minimum of 33.333333 %.'],
  [single(32, 8), 0.8, true, 'The pass rate of 80.0 % reaches the minimum of 80 %.'],
  [single(0, 0, 3), 0, false, 'No sample has a score, so no pass rate can reach the minimum of 0 %.'],
])(
  'a pass rate is held against its minimum, in digits that tell them apart: %#',
  (result, minRate, passed, says) => {
    const verdict = judgeGate(result, { minRate })
    expect(verdict.checks[0]).toEqual({ name: 'rate', passed, says })
  },
)

test.each<[number, GateRequest, boolean, string]>([
  [0, {}, true, 'Every sample has a score.'],
  [1, {}, false, '1 sample has no score; at most 0 may have none.'],
  [2, { maxUnscored: 2 }, true, '2 samples have no score; at most 2 may have none.'],
  [3, { maxUnscored: 2 }, false, '3 samples have no score; at most 2 may have none.'],
  [7, { maxUnscoredShare: 0.07 }, true, '7 samples have no score; at most 7 % of 100 may have none.'],
  [8, { maxUnscoredShare: 0.07 }, false, '8 samples have no score; at most 7 % of 100 may have none.'],
])('%d samples of 100 without a score, %j', (notScored, thresholds, passed, says) => {
  const verdict = judgeGate(single(100 - notScored, 0, notScored), thresholds)
  expect(verdict.checks).toEqual([{ name: 'unscored', passed, says }])
  expect(verdict.passed).toBe(passed)
})

// By hand: p = 2 · Σ C(b+c, i) / 2^(b+c) for i up to the smaller of the two, at most 1.
test.each<[number, number, number, boolean]>([
  [0, 0, 1, false],
  [5, 0, 2 / 32, false],
  [6, 0, 2 / 64, true],
  [7, 0, 2 / 128, true],
  [9, 2, (2 * (1 + 11 + 55)) / 2048, false],
  [10, 2, (2 * (1 + 12 + 66)) / 4096, true],
  [2, 10, (2 * (1 + 12 + 66)) / 4096, false],
])('%d cases worse and %d better: p, and whether a significant drop fails', (worse, better, p, fails) => {
  const [evaluation, baseline] = pairOf(50, worse, better)
  const { passed, comparison } = judgeGate(evaluation, { significant: true }, baseline)
  expect(comparison).toMatchObject({ test: 'mcnemar', exact: true, regressed: worse, improved: better })
  expect(comparison?.p).toBeCloseTo(p, 6)
  expect(comparison?.difference).toBeCloseTo((better - worse) / 50, 6)
  expect(passed).toBe(!fails)
})

test.each<[GateRequest, boolean]>([
  [{ maxRegression: 0.1 }, true],
  [{ maxRegression: 0.099 }, false],
  [{ maxRegression: 0.05, significant: true }, true],
  [{ maxRegression: 0 }, false],
  [{ significant: true }, true],
])('5 of 50 cases worse, 10 points: %j', (thresholds, passed) => {
  expect(judgeGate(pairOf(50, 5, 0)[0], thresholds, pairOf(50, 5, 0)[1]).passed).toBe(passed)
})
test('a significant drop within the allowed one passes', () => {
  const [evaluation, baseline] = pairOf(400, 7, 0)
  const verdict = judgeGate(evaluation, { maxRegression: 0.02, significant: true }, baseline)
  expect(verdict).toMatchObject({ passed: true, comparison: { significant: true, difference: -0.0175 } })
  expect(judgeGate(evaluation, { significant: true }, baseline).passed).toBe(false)
})

test('sentences name rates, difference, interval, test, and the least drop that could be found', () => {
  const [evaluation, baseline] = pairOf(100, 12, 4)
  const verdict = judgeGate(evaluation, { maxRegression: 0.05, significant: true }, baseline)
  expect(saysOf(verdict, 'regression')).toMatch(
    /^The pass rate is 88\.0 % against 96\.0 % in the baseline on 100 shared cases: -8\.0 points \(95 % interval -1\d\.\d to [-+]?\d\.\d points\); 12 cases worse, 4 better\. That is more than the allowed drop of 5 points\. The difference is not significant \(p = 0\.0768, McNemar’s exact test\)\. A true drop of 11\.\d points or more would have been found in 80 % of such evaluations\.$/,
  )
  const [fourWorse, four] = pairOf(4, 4, 0)
  const few = judgeGate(fourWorse, { significant: true }, four)
  expect(few.comparison?.leastDifference).toBeNull()
  expect(few.notes).toEqual([
    'This gate cannot fail. No drop can be significant with 4 cases: that takes at least 6.',
  ])
  const same = judgeGate(evaluation, { significant: true }, evaluation)
  expect(saysOf(same, 'regression')).toMatch(
    /If no case improves, 6 worse cases \(6\.0 points\) are significant\.$/,
  )
  const [threeWorse, fifty] = pairOf(50, 3, 0)
  const noise = judgeGate(threeWorse, { maxRegression: 0.02 }, fifty)
  expect(noise).toMatchObject({ passed: false, notes: [expect.stringContaining('it may be chance')] })
})

test.each<[GateRequest['unscored'], boolean, string]>([
  [undefined, false, '75.0 %, with 2 samples without a score as failed, is lower than the minimum of 80 %.'],
  ['failed', false, '75.0 %, with 2 samples without a score as failed, is lower than the minimum of 80 %.'],
  ['excluded', true, '83.3 % reaches the minimum of 80 %.'],
])('samples without a score in a minimum rate: %s', (unscored, passed, says) => {
  const verdict = judgeGate(single(15, 3, 2), { minRate: 0.8, ...(unscored && { unscored }) })
  expect(verdict.checks[0]).toEqual({ name: 'rate', passed, says: `The pass rate of ${says}` })
  expect(Object.keys(verdict.explanations)).toEqual(['rate', 'bracket'])
})

test.each<[GateRequest['unscored'], number, boolean, string[]]>([
  [
    undefined,
    -0.5,
    false,
    ['3 samples without a score count as failed; with `unscored` excluded they are not compared.'],
  ],
  [
    'excluded',
    0,
    true,
    ['3 scored samples of the baseline have no scored counterpart in this evaluation and are not compared.'],
  ],
])('samples without a score against a baseline: %s', (unscored, difference, passed, notes) => {
  const verdict = judgeGate(
    single(3, 0, 3),
    { maxRegression: 0.1, maxUnscored: 3, ...(unscored && { unscored }) },
    single(6, 0),
  )
  expect(verdict).toMatchObject({ passed, comparison: { difference } })
  expect(verdict.notes.slice(0, notes.length)).toEqual(notes)
})

const someOutcomes = fc.array(fc.constantFrom(true, false, null), { minLength: 1, maxLength: 6 })
const manyOutcomes = fc.array(someOutcomes, { minLength: 1, maxLength: 12 })
test('losing a score never helps a gate, unless it is told to exclude what has none', () => {
  const lenient = { maxUnscored: 1000 }
  fc.assert(
    fc.property(
      manyOutcomes,
      fc.integer(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (all, seed, bound) => {
        const chance = createRng(seed)
        const lossy = all.map((of) => of.map((one) => (chance.chance(0.3) ? null : one)))
        const passes = (
          outcomes: Outcome[][],
          thresholds: GateRequest,
          baseline?: ReturnType<typeof resultOf>,
        ) => judgeGate(resultOf(outcomes), { ...lenient, ...thresholds }, baseline).passed
        if (passes(lossy, { minRate: bound })) expect(passes(all, { minRate: bound })).toBe(true)
        const baseline = resultOf(all.map((of) => of.map(() => chance.chance(0.6))))
        const pairs = (outcomes: Outcome[][]) =>
          pairSamples(resultOf(outcomes), baseline, { unscored: 'failed' }).cases
        const before = new Map(pairs(all).map((one) => [one.case, one]))
        for (const one of pairs(lossy)) {
          expect(one.evaluation.samples).toBe(before.get(one.case)?.evaluation.samples)
          expect(one.baseline).toEqual(before.get(one.case)?.baseline)
          expect(one.evaluation.passed).toBeLessThanOrEqual(before.get(one.case)?.evaluation.passed ?? -1)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('pairs are the same samples of the same cases that the baseline scored; the rest is told', () => {
  const evaluation = resultOf([[true, false, null], [true], [false, true]], { options: { samples: 3 } })
  const baseline = resultOf([[true, null, true], [null], [true]], { version: '0', options: { samples: 1 } })
  const first = { case: 'case 0', evaluation: { samples: 1, passed: 1 }, baseline: { samples: 1, passed: 1 } }
  const second = { ...first, case: 'case 2', evaluation: { samples: 1, passed: 0 } }
  expect(pairSamples(evaluation, baseline, { unscored: 'excluded' })).toEqual({
    cases: [first, second],
    samples: 2,
    unpaired: { evaluation: 3, baseline: 1 },
    failed: 0,
  })
  const two = { samples: 2, passed: 2 }
  expect(pairSamples(evaluation, baseline, { unscored: 'failed' })).toEqual({
    cases: [{ ...first, evaluation: { ...two, passed: 1 }, baseline: two }, second],
    samples: 3,
    unpaired: { evaluation: 3, baseline: 0 },
    failed: 1,
  })
  const { notes } = judgeGate(evaluation, { maxRegression: 1, unscored: 'excluded' }, baseline)
  expect(notes).toEqual([
    '3 scored samples have no scored counterpart in the baseline and are not compared.',
    '1 scored sample of the baseline has no scored counterpart in this evaluation and is not compared.',
    'The baseline was evaluated with other options: samples 1 (here 3).',
    'The baseline was scored by version 0, this evaluation by 1: a difference may come from scoring.',
  ])
  const nothing = judgeGate(evaluation, { maxRegression: 1 }, resultOf([[null, null, null], [null], [null]]))
  expect(nothing).toMatchObject({ passed: false, comparison: { cases: 0, difference: null } })
  expect(saysOf(nothing, 'regression')).toMatch(/^No sample has a score in both/)
})

interface Reference {
  mcnemar_exact: { b: number; c: number; p: number }[]
}
test('the verdict is that of scipy’s and statsmodels’ p', () => {
  const file = join(import.meta.dirname, 'fixtures/statistics.json')
  const reference = JSON.parse(readFileSync(file, 'utf8')) as Reference
  for (const { b, c, p } of reference.mcnemar_exact.filter(({ b, c }) => b + c < 100)) {
    const [evaluation, baseline] = pairOf(b + c + 5, b, c)
    const { passed } = judgeGate(evaluation, { significant: true }, baseline)
    expect([b, c, passed]).toEqual([b, c, !(b > c && p < 0.05)])
  }
})

/** Every choice of signs of the cases' differences, counted in whole steps. */
function enumeratedP(steps: readonly number[]): number {
  const some = steps.filter((one) => one !== 0)
  const observed = Math.abs(some.reduce((sum, one) => sum + one, 0))
  let atLeast = 0
  for (let signs = 0; signs < 2 ** some.length; signs++) {
    const sum = some.reduce((total, one, at) => total + (signs & (1 << at) ? one : -one), 0)
    if (Math.abs(sum) >= observed) atLeast++
  }
  return atLeast / 2 ** some.length
}
const outcomes = (samples: number, cases: number) =>
  fc.array(fc.array(fc.boolean(), { minLength: samples, maxLength: samples }), {
    minLength: cases,
    maxLength: cases,
  })
const twoEvaluations = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 10 }))
  .chain(([samples, cases]) => fc.tuple(outcomes(samples, cases), outcomes(samples, cases)))
const passes = (list: readonly Outcome[]) => list.filter((one) => one === true).length

test('p, difference and flips of several samples are those of plain counting', () => {
  fc.assert(
    fc.property(twoEvaluations, ([here, there]) => {
      const { comparison, passed } = judgeGate(resultOf(here), { significant: true }, resultOf(there))
      const steps = here.map((one, at) => passes(one) - passes(there[at] ?? []))
      const samples = here[0]?.length ?? 0
      const p = enumeratedP(steps)
      const difference = steps.reduce((sum, one) => sum + one, 0) / samples / steps.length
      expect(comparison?.p).toBeCloseTo(p, 6)
      expect(comparison?.difference).toBeCloseTo(difference, 6)
      expect(comparison?.regressed).toBe(steps.filter((one) => one < 0).length)
      expect(comparison?.improved).toBe(steps.filter((one) => one > 0).length)
      expect(passed).toBe(!(difference < 0 && p < 0.05))
    }),
    { seed: 20250101, numRuns: 60 },
  )
})

test('a looser threshold never fails what a stricter one passed', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(twoEvaluations, share, share, ([here, there], one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      const passed = (thresholds: GateRequest) =>
        judgeGate(resultOf(here), thresholds, resultOf(there)).passed ? 1 : 0
      expect(passed({ maxRegression: high })).toBeGreaterThanOrEqual(passed({ maxRegression: low }))
      expect(passed({ maxRegression: low, significant: true })).toBeGreaterThanOrEqual(
        passed({ maxRegression: low }),
      )
      expect(passed({ minRate: low, maxRegression: 1 })).toBeGreaterThanOrEqual(
        passed({ minRate: high, maxRegression: 1 }),
      )
    }),
    { seed: 20250101, numRuns: 40 },
  )
})

test('where nothing but chance differs, at most 2.5 % of gates on a significant drop fail', () => {
  const differing = 11
  let failed = 0
  for (let worse = 0; worse <= differing; worse++) {
    const [evaluation, baseline] = pairOf(20, worse, differing - worse)
    const ways = Array.from({ length: worse }, (_, n) => (differing - n) / (n + 1)).reduce((a, b) => a * b, 1)
    if (!judgeGate(evaluation, { significant: true }, baseline).passed) failed += ways
  }
  expect(failed / 2 ** differing).toBeGreaterThan(0)
  expect(failed / 2 ** differing).toBeLessThanOrEqual(0.025)
})
