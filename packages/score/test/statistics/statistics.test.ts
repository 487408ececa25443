/**
 * The statistics against values that were computed independently: scipy and statsmodels (reference.py made
 * fixtures/statistics.json), closed forms, and brute force over every possibility.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { createRng } from '@stateeval/program'
import fc from 'fast-check'
import {
  computeClusteredInterval,
  computePercentileInterval,
  compareModels,
  explanations,
  correctHolm,
  computeLeastDifference,
  testMcNemar,
  computeNoiseFloor,
  computeMeanInterval,
  computeBonettPrice,
  computeDifferenceInterval,
  type ModelCounts,
  computeNormalCdf,
  findNormalQuantile,
  tallyCases,
  explainIntervals,
  type NumberInterval,
  rateOutcomes,
  findTQuantile,
  estimatePassAllOfK,
  estimatePassAtK,
  interpolateQuantile,
  signFlipTest,
  listUsualKs,
  computeWilson,
} from '../../src/index.ts'

interface Reference {
  pass_at_k: { samples: number; passed: number; k: number; any: number; all: number }[]
  wilson: { successes: number; total: number; confidence: number; low: number; high: number }[]
  normal: { cdf: { x: number; p: number }[]; quantile: { p: number; z: number }[] }
  mcnemar_exact: { b: number; c: number; p: number }[]
  sign_flip: { samples: number; differences: number[]; p: number; scipy?: number }[]
  holm: { ps: number[]; adjusted: number[] }[]
  least_difference: { cases: number; differing: number; alpha: number; power: number; least: number | null }[]
  bootstrap: {
    cases: { samples: number; a: number; b: number; scoredA: number }[]
    paired: [number, number]
    clustered: [number, number]
  }[]
}
const file = (name: string) => join(import.meta.dirname, name)
const reference = JSON.parse(readFileSync(file('../fixtures/statistics.json'), 'utf8')) as Reference
const long = process.env['STATEEVAL_LONG'] !== undefined
const property = { seed: 20250101, numRuns: long ? 300 : 100 }
const relative = (actual: number, expected: number) =>
  Math.abs(actual - expected) / Math.max(Math.abs(expected), 1e-300)

describe('scipy and statsmodels', () => {
  test('pass@k and pass^k are the hypergeometric chances of one and of all', () => {
    for (const { samples, passed, k, any, all } of reference.pass_at_k) {
      expect(estimatePassAtK(samples, passed, k)).toBeCloseTo(any, 6)
      expect(estimatePassAllOfK(samples, passed, k)).toBeCloseTo(all, 6)
    }
  })
  test('Wilson intervals', () => {
    for (const { successes, total, confidence, low, high } of reference.wilson) {
      const [ours, theirs] = computeWilson(successes, total, confidence) ?? [NaN, NaN]
      expect(ours).toBeCloseTo(low, 6)
      expect(theirs).toBeCloseTo(high, 6)
    }
  })
  test('the normal distribution', () => {
    for (const { x, p } of reference.normal.cdf) expect(relative(computeNormalCdf(x), p)).toBeLessThan(1e-11)
    for (const { p, z } of reference.normal.quantile)
      expect(Math.abs(findNormalQuantile(p) - z)).toBeLessThan(1e-9)
  })
  test('McNemar’s exact test', () => {
    for (const { b, c, p } of reference.mcnemar_exact)
      expect(relative(testMcNemar(b, c), p)).toBeLessThan(1e-9)
  })
  test('the sign-flip test, in exact fractions and by scipy’s permutation test', () => {
    for (const { samples, differences, p, scipy } of reference.sign_flip) {
      const ours = signFlipTest(differences, 1 / samples, createRng(1))
      expect(ours.exact).toBe(true)
      expect(ours.p).toBeCloseTo(p, 12)
      if (scipy !== undefined) expect(ours.p).toBeCloseTo(scipy, 9)
    }
  })
  test('Holm’s correction', () => {
    for (const { ps, adjusted } of reference.holm)
      correctHolm(ps).forEach((p, n) => expect(p).toBeCloseTo(adjusted[n] as number, 12))
  })
  test('the least difference solves Connor’s equation', () => {
    for (const { cases, differing, alpha, power, least } of reference.least_difference) {
      const differences = Array.from({ length: cases }, (_, n) => (n < differing ? (n % 2 ? 1 : -1) : 0))
      const ours = computeLeastDifference(differences, { alpha, power })
      if (least === null) expect(ours).toBeNull()
      else expect(ours).toBeCloseTo(least, 5)
    }
  })
  test('bootstrap intervals, up to chance', () => {
    for (const { cases, paired, clustered } of reference.bootstrap) {
      const ours = computeMeanInterval(
        cases.map(({ a, b, samples }) => (a - b) / samples),
        createRng('paired'),
      ) as [number, number]
      const rates = computePercentileInterval(
        cases.map(({ a, scoredA }) => ({ passed: a, samples: scoredA })),
        createRng('clustered'),
      )
      // One step of the mean of n values in {-1, 0, 1}, and a tenth of the width.
      const slack = ([low, high]: [number, number]) => Math.max(1 / cases.length, (high - low) / 10)
      ours.forEach((end, n) =>
        expect(Math.abs(end - (paired[n] as number))).toBeLessThanOrEqual(slack(paired)),
      )
      rates.forEach((end, n) =>
        expect(Math.abs(end - (clustered[n] as number))).toBeLessThanOrEqual(slack(clustered)),
      )
    }
  })
  test('the stored values are those of the scipy that is here', () => {
    const python = process.env['STATEEVAL_SCIPY_PYTHON'] ?? 'python3'
    const has = spawnSync(python, ['-c', 'import scipy, statsmodels']).status === 0
    if (!has)
      return console.info(
        'skipped: scipy and statsmodels are not there; STATEEVAL_SCIPY_PYTHON may name a Python that has them',
      )
    const { stdout, status } = spawnSync(
      python,
      [file('reference.py'), '--check', file('../fixtures/statistics.json')],
      {
        encoding: 'utf8',
      },
    )
    expect(`${status}: ${stdout.trim()}`).toBe('0: the stored values are those of this scipy')
  })
})

describe('closed forms', () => {
  test('fixed values', () => {
    expect(computeWilson(5, 10)).toEqual([0.236593, 0.763407])
    expect(computeWilson(0, 0)).toBeNull()
    expect(estimatePassAtK(10, 3, 1)).toBeCloseTo(0.3, 12)
    expect(estimatePassAtK(4, 2, 2)).toBeCloseTo(5 / 6, 12) // 1 - C(2,2)/C(4,2)
    expect(estimatePassAllOfK(4, 2, 2)).toBeCloseTo(1 / 6, 12)
    expect([estimatePassAtK(3, 1, 4), estimatePassAllOfK(3, 1, 4)]).toEqual([null, null])
    expect(testMcNemar(0, 6)).toBeCloseTo(2 / 64, 15)
    expect(testMcNemar(3, 3)).toBe(1)
    // Smaller than any number of a computer, and still no certainty.
    expect(testMcNemar(2000, 0)).toBeGreaterThan(0)
    expect(correctHolm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06])
    expect(interpolateQuantile([1, 2, 3, 4], 0.5)).toBe(2.5)
    expect(findNormalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12)
    expect(listUsualKs(120)).toEqual([1, 2, 5, 10, 20, 50, 100, 120])
    expect(listUsualKs(1)).toEqual([1])
  })
  test('five cases can show nothing: even five out of five has p = 1/16', () => {
    expect(testMcNemar(5, 0)).toBeCloseTo(1 / 16, 15)
    expect(computeLeastDifference([1, 0, 0, 0, 0])).toBeNull()
    expect(computeLeastDifference([])).toBeNull()
    expect(computeLeastDifference([0, 0, 0, 0])).toBeNull()
  })
})

const filled = (n: number, value: number) => Array<number>(n).fill(value)

describe('brute force', () => {
  test('pass@k and pass^k: every choice of k samples', () => {
    const choices = (n: number, k: number): number[][] =>
      k === 0
        ? [[]]
        : n < k
          ? []
          : [...choices(n - 1, k), ...choices(n - 1, k - 1).map((rest) => [...rest, n - 1])]
    for (let n = 1; n <= 7; n++)
      for (let c = 0; c <= n; c++)
        for (let k = 1; k <= n; k++) {
          const all = choices(n, k)
          const share = (fits: (choice: number[]) => boolean) => all.filter(fits).length / all.length
          expect(estimatePassAtK(n, c, k)).toBeCloseTo(
            share((choice) => choice.some((one) => one < c)),
            6,
          )
          expect(estimatePassAllOfK(n, c, k)).toBeCloseTo(
            share((choice) => choice.every((one) => one < c)),
            6,
          )
        }
  })
  test('with one sample a case the sign-flip test is McNemar’s', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-1, 0, 1), { maxLength: 80 }), (differences) => {
        const b = differences.filter((one) => one > 0).length
        const c = differences.filter((one) => one < 0).length
        expect(signFlipTest(differences, 1, createRng(1)).p).toBeCloseTo(testMcNemar(b, c), 10)
      }),
      property,
    )
  })
  test('drawn permutations come close to the full distribution', () => {
    const rng = createRng('drawn')
    for (let n = 0; n < 5; n++) {
      const differences = Array.from({ length: 40 }, () => rng.int(-4, 5) / 5)
      const full = signFlipTest(differences, 0.2, rng)
      const estimate = signFlipTest(differences, null, rng)
      expect([full.exact, estimate.exact]).toEqual([true, false])
      expect(Math.abs(full.p - estimate.p)).toBeLessThan(0.02)
    }
  })
  test('Holm: each p times how many are left, never below a smaller one’s', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
        (ps) => {
          const adjusted = correctHolm(ps)
          const byDefinition = ps.map((p) =>
            Math.min(
              1,
              Math.max(
                ...ps
                  .filter((other) => other <= p)
                  .map((other) => other * ps.filter((one) => one >= other).length),
              ),
            ),
          )
          adjusted.forEach((p, n) => expect(p).toBeCloseTo(byDefinition[n] as number, 12))
        },
      ),
      property,
    )
  })
  test('a mean of fewer than five values, or of equal ones, has no interval; a difference of rates has a wide one', () => {
    for (const values of [[], [0.5], [0, 1, 0, 1], filled(30, 0.25)])
      expect(computeMeanInterval(values, createRng(1))).toBeNull()
    expect(computeDifferenceInterval([], createRng(1))).toBeNull()
    for (const n of [1, 3, 5, 40]) {
      const [low, high] = computeDifferenceInterval(filled(n, 1), createRng(1))!
      expect(low).toBeLessThan(1)
      expect(high).toBe(1)
      const none = computeDifferenceInterval(filled(n, 0), createRng(1))!
      // Both shares are 1 / (n + 2).
      const half = (findNormalQuantile(0.975) * Math.SQRT2) / (n + 2)
      expect(none[0]).toBeCloseTo(-half, 6)
      expect(none[1]).toBeCloseTo(half, 6)
    }
    expect(computeDifferenceInterval([1], createRng(1))![0]).toBeLessThan(0)
  })
  test('the interval of a difference of a few cases contains the truth in 19 of 20 sets, at worst in 7 of 8', () => {
    const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1))
    const shares = [0, 0.1, 0.25, 0.4, 0.5]
    const pairs = shares.flatMap((higher) => shares.map((lower) => [higher, lower] as const))
    for (const n of [1, 2, 3, 4]) {
      const coverage = pairs.map(([pHigher, pLower]) => {
        let covered = 0
        for (let higher = 0; higher <= n; higher++)
          for (let lower = 0; higher + lower <= n; lower++) {
            const equal = n - higher - lower
            const differences = [...filled(higher, 1), ...filled(lower, -1), ...filled(equal, 0)]
            const [low, high] = computeBonettPrice(differences)!
            if (low > pHigher - pLower || high < pHigher - pLower) continue
            const ways = factorial(n) / (factorial(higher) * factorial(lower) * factorial(equal))
            covered += ways * pHigher ** higher * pLower ** lower * (1 - pHigher - pLower) ** equal
          }
        return covered
      })
      expect(Math.min(...coverage)).toBeGreaterThanOrEqual(0.875)
      expect(coverage.reduce((sum, one) => sum + one, 0) / coverage.length).toBeGreaterThan(0.95)
    }
  })
  test('the bootstrap of two cases has three values: 0 for a quarter, 1/2 for half, 1 for a quarter', () => {
    const cases = [0, 1].map((passed) => ({ samples: 1, passed }))
    expect(computePercentileInterval(cases, createRng(1), { confidence: 0.4 })).toEqual([0.5, 0.5])
    expect(computePercentileInterval(cases, createRng(1), { confidence: 0.6 })).toEqual([0, 1])
    expect(computeClusteredInterval([{ samples: 0, passed: 0 }], createRng(1))).toBeNull()
    // No draw differs from another: Wilson's interval over cases stands in.
    expect(
      computeClusteredInterval(
        Array.from({ length: 10 }, () => ({ samples: 5, passed: 5 })),
        createRng(1),
      ),
    ).toEqual(computeWilson(10, 10))
    expect(
      computeClusteredInterval(
        Array.from({ length: 10 }, () => ({ samples: 5, passed: 0 })),
        createRng(1),
      ),
    ).toEqual(computeWilson(0, 10))
  })
  test('few cases say little, however many samples they have', () => {
    const few = (n: number) => Array.from({ length: n }, () => ({ samples: 10, passed: 5 }))
    expect(computeClusteredInterval(few(1), createRng(1))).toEqual(computeWilson(0.5, 1))
    expect(computeClusteredInterval(few(4), createRng(1))).toEqual(computeWilson(2, 4))
    // All draws are the same: what independent samples would give is the least.
    expect(computeClusteredInterval(few(6), createRng(1))).toEqual(computeWilson(30, 60))
  })
  test('intervals of cases with several samples hold the truth about as often as they say; Wilson’s do not: simulated', () => {
    const [rng, times, samples] = [createRng('covers'), long ? 250 : 80, 10]
    for (const cases of [3, 6, 12]) {
      const coverage = { clustered: 0, wilson: 0 }
      for (let t = 0; t < times; t++) {
        // How often a case passes is anything from never to always, the same for each of its samples.
        const chances = Array.from({ length: cases }, (_, n) => ({ n, chance: rng.unit() }))
        const outcomes = chances.flatMap(({ n, chance }) =>
          Array.from({ length: samples }, () => ({ case: String(n), passed: rng.chance(chance) })),
        )
        const covers = (interval: NumberInterval | null) =>
          interval && interval[0] <= 0.5 && interval[1] >= 0.5 ? 1 : 0
        coverage.clustered += covers(computeClusteredInterval(tallyCases(outcomes), rng, { count: 300 }))
        coverage.wilson += covers(
          computeWilson(outcomes.filter(({ passed }) => passed).length, cases * samples),
        )
      }
      expect(coverage.clustered / times).toBeGreaterThan(0.9)
      expect(coverage.wilson / times).toBeLessThan(0.8)
    }
  })
  test('a rate says which interval it has, and is the same in whatever order samples come', () => {
    const outcomes = Array.from({ length: 60 }, (_, n) => ({
      case: `c${n % 20}`,
      passed: (n % 20) % 3 !== 0 || n > 50,
    }))
    const once = rateOutcomes(outcomes.slice(0, 20))
    expect(once).toEqual({
      passed: 13,
      scored: 20,
      rate: 0.65,
      interval: computeWilson(13, 20),
      method: 'wilson',
    })
    const several = rateOutcomes(outcomes)
    expect(several.method).toBe('clustered')
    const [[low, high], [wilsonLow, wilsonHigh]] = [several.interval, computeWilson(several.passed, 60)] as [
      NumberInterval,
      NumberInterval,
    ]
    expect(high - low).toBeGreaterThan(1.3 * (wilsonHigh - wilsonLow))
    expect(rateOutcomes(createRng(3).shuffle(outcomes))).toEqual(several)
    expect(rateOutcomes([])).toEqual({ passed: 0, scored: 0, rate: null, interval: null })
    expect(Object.keys(explainIntervals([once, several]))).toEqual(['wilson', 'clustered'])
    expect(Object.keys(explainIntervals([once, rateOutcomes([])]))).toEqual(['wilson'])
  })
  test('Student’s t comes near enough', () => {
    // R: qt(0.975, c(4, 5, 9, 29))
    for (const [degrees, t] of [
      [4, 2.776],
      [5, 2.571],
      [9, 2.262],
      [29, 2.045],
    ] as const)
      expect(Math.abs(findTQuantile(0.975, degrees) - t)).toBeLessThan(0.02)
  })
  test('a bootstrap interval by case is wider than one that takes alike samples as independent', () => {
    const cases = Array.from({ length: 40 }, (_, n) => ({ samples: 10, passed: n % 2 ? 10 : 0 }))
    const [low, high] = computeClusteredInterval(cases, createRng(1)) as [number, number]
    const [wilsonLow, wilsonHigh] = computeWilson(200, 400) as [number, number]
    expect(high - low).toBeGreaterThan(2.5 * (wilsonHigh - wilsonLow))
  })
})

test('the power at the least difference is what it says: simulated', () => {
  const [cases, differing] = [120, 0.3]
  const least = computeLeastDifference(
    Array.from({ length: cases }, (_, n) => (n < cases * differing ? 1 : 0)),
    { power: 0.8 },
  ) as number
  const rng = createRng('power')
  let detections = 0
  const times = 2000
  for (let t = 0; t < times; t++) {
    let [b, c] = [0, 0]
    for (let n = 0; n < cases; n++) {
      const u = rng.unit()
      if (u < (differing + least) / 2) b++
      else if (u < differing) c++
    }
    if (testMcNemar(b, c) < 0.05) detections++
  }
  // The exact test is a little more careful than the normal approximation.
  expect(detections / times).toBeGreaterThan(0.7)
  expect(detections / times).toBeLessThan(0.85)
})

test('few false alarms: two equal models are called different in fewer than 5 % of comparisons', () => {
  const rng = createRng('alarms')
  let alarms = 0
  const times = long ? 600 : 200
  for (let t = 0; t < times; t++) {
    const model = (name: string): ModelCounts => ({
      name,
      cases: new Map(
        Array.from({ length: 30 }, (_, n) => [
          `c${n}`,
          { samples: 3, passed: [0, 1, 2].filter(() => rng.chance(n / 30)).length },
        ]),
      ),
    })
    const { pairs } = compareModels([model('a'), model('b'), model('c')], { seed: t, resamples: 200 })
    if (pairs.some(({ significant }) => significant)) alarms++
  }
  expect(alarms / times).toBeLessThan(0.065)
})

const counts = (passed: number[], samples: number, from = 0) =>
  new Map(passed.map((one, n) => [`case-${n + from}`, { samples, passed: one }] as const))
test('a comparison of three: rates, tests on shared cases, the same bytes each time', () => {
  const models: ModelCounts[] = [
    { name: 'good', cases: counts(Array(40).fill(1) as number[], 1) },
    {
      name: 'poor',
      cases: counts(
        Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? 1 : 0)),
        1,
      ),
    },
    { name: 'five', cases: counts([5, 4, 0, 1, 3, 2], 5, 38) },
  ]
  const comparison = compareModels(models, { seed: 7 })
  expect(JSON.stringify(compareModels(models, { seed: 7 }))).toBe(JSON.stringify(comparison))
  expect(comparison.models.map(({ rate, cases, samples }) => [rate, cases, samples])).toEqual([
    [1, 40, 40],
    [0.25, 40, 40],
    [0.5, 6, 30],
  ])
  // As in reports: Wilson's where each case has one sample.
  expect(comparison.models.map(({ method }) => method)).toEqual(['wilson', 'wilson', 'clustered'])
  expect(comparison.models[1]?.interval).toEqual(computeWilson(10, 40))
  expect(comparison.models[2]?.passAtK.map(({ k }) => k)).toEqual([1, 2, 5])
  expect(comparison.models[2]?.passAllK.at(-1)).toEqual({ k: 5, estimate: 0.166667, cases: 6 })
  const [first, second] = comparison.pairs
  expect(first).toMatchObject({
    a: 'good',
    b: 'poor',
    difference: 0.75,
    betterA: 30,
    betterB: 0,
    test: 'mcnemar',
    exact: true,
    cases: 40,
  })
  expect(first?.p).toBe(Number((2 * 0.5 ** 30).toPrecision(2)))
  expect(first?.significant).toBe(true)
  expect(second).toMatchObject({ test: 'sign-flip', cases: 2, leastDifference: null, significant: false })
  const { bracket, ...ofComplete } = explanations
  expect(comparison.explanations).toEqual(ofComplete)
  expect(bracket).toContain('without a score')
})

test('each explanation is two sentences at most', () => {
  for (const text of Object.values(explanations))
    expect(text.split(/[.!?](?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(2)
})

test('the noise floor is what two evaluations of one model differ by', () => {
  const rng = createRng('noise')
  const rates = Array.from({ length: 60 }, (_, n) => (n + 1) / 62)
  const evaluated = () =>
    rates.map((rate) => ({
      samples: 5,
      passed: Array.from({ length: 5 }, () => rng.chance(rate)).filter(Boolean).length,
    }))
  const rateOf = (cases: { passed: number }[]) => cases.reduce((sum, { passed }) => sum + passed, 0) / 300
  const trials = Array.from({ length: 300 }, () => {
    const [a, b] = [evaluated(), evaluated()]
    return Math.abs(rateOf(a) - rateOf(b)) <= computeNoiseFloor(a)!
  })
  const below = trials.filter(Boolean).length / trials.length
  expect(below).toBeGreaterThan(0.92)
  expect(below).toBeLessThan(0.98)
  expect(computeNoiseFloor([{ samples: 1, passed: 1 }])).toBeNull()
  expect(computeNoiseFloor([{ samples: 4, passed: 4 }])).toBe(0)
})
