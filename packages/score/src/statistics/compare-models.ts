/** Models that answered the same cases, compared pair by pair. */
import type { ComparedModel, ComparedPair, ModelComparison } from '@stateeval/contracts'
import { createRng, type RandomSource } from '@stateeval/program'
import { computeDifferenceInterval, resamples } from './bootstrap.ts'
import { explanations } from './explanations.ts'
import { computeLeastDifference } from './least-effect.ts'
import { computeNoiseFloor } from './noise.ts'
import { correctHolm, testMcNemar, signFlipTest } from './paired-tests.ts'
import {
  type CaseCount,
  averageOverCases,
  estimatePassAllOfK,
  estimatePassAtK,
  listUsualKs,
} from './pass-at-k.ts'
import { rateCases } from './rate.ts'
import { computeMean, roundNumber, roundP } from './rounded.ts'

export interface ModelCounts {
  name: string
  /** Cases with at least one sample, scored or not. */
  cases: ReadonlyMap<string, CaseCount>
}
interface CompareOptions {
  seed?: number | string
  alpha?: number
  power?: number
  resamples?: number
}

/**
 * Tells whether a comparison of so many models and cases takes less than a second, including the measures of
 * kinds with many. A service leaves others to a thread: twenty models with a thousand cases take a minute.
 */
export const isShortComparison = (models: number, cases: number): boolean =>
  ((models * (models + 1)) / 2) * cases <= 200

/**
 * Every model's rates, and a paired test of every two on their common cases. The same seed gives the same
 * numbers.
 */
export function compareModels(
  models: readonly ModelCounts[],
  { seed = 1, alpha = 0.05, power = 0.8, resamples: count = resamples }: CompareOptions = {},
): ModelComparison {
  const rng = createRng(`comparison/${seed}`)
  const pairs = models.flatMap((a, first) =>
    models.slice(first + 1).map((b, after) => ({ a, b, rng: rng.fork(`${first}/${first + 1 + after}`) })),
  )
  const tests = pairs.map(({ a, b, rng }) =>
    testPair(a, b, rng, { alpha: alpha / pairs.length, power, count }),
  )
  const describedModels = models.map(describeModel)
  const { bracket, ...usual } = explanations
  return {
    alpha,
    power,
    models: describedModels,
    pairs: correctPairs(tests, alpha),
    explanations: { ...usual, ...(describedModels.some((one) => one.bracket) && { bracket }) },
  }
}

function describeModel({ name, cases }: ModelCounts): ComparedModel {
  const counts = [...cases.values()]
  const scoredCases = counts.filter((one) => one.samples > 0)
  const { scored: samples, ...rate } = rateCases(counts)
  const ks = listUsualKs(Math.max(0, ...scoredCases.map((one) => one.samples)))
  return {
    name,
    cases: scoredCases.length,
    samples,
    ...rate,
    passAtK: ks.map((k) => averageOverCases(counts, k, estimatePassAtK)),
    passAllK: ks.map((k) => averageOverCases(counts, k, estimatePassAllOfK)),
    ...(rate.method === 'clustered' && { noise: computeNoiseFloor(scoredCases) }),
  }
}

type TestedPair = Omit<ComparedPair, 'adjusted' | 'significant'>
/** The tests of one family, with p-values after Holm's correction and what is significant at alpha. */
export function correctPairs(tests: readonly TestedPair[], alpha: number): ComparedPair[] {
  const adjusted = correctHolm(tests.map(({ p }) => p))
  return tests.map((test, n) => {
    const corrected = adjusted[n] as number
    return { ...test, p: roundP(test.p), adjusted: roundP(corrected), significant: corrected < alpha }
  })
}

/** Two models on their common cases; p is neither rounded nor corrected for multiple tests. */
export function testPair(
  a: ModelCounts,
  b: ModelCounts,
  rng: RandomSource,
  { alpha, power, count }: { alpha: number; power: number; count: number },
): TestedPair {
  const sharedCases = [...a.cases].flatMap(([id, one]) => {
    const other = b.cases.get(id)
    return other && one.samples > 0 && other.samples > 0 ? [{ one, other }] : []
  })
  const differences = sharedCases.map(
    ({ one, other }) => one.passed / one.samples - other.passed / other.samples,
  )
  const single = sharedCases.every(({ one, other }) => one.samples === 1 && other.samples === 1)
  const onlyA = differences.filter((one) => one > 1e-12).length
  const onlyB = differences.filter((one) => one < -1e-12).length
  const { p, exact } = single
    ? { p: testMcNemar(onlyA, onlyB), exact: true }
    : signFlipTest(
        differences,
        findUnit(sharedCases.flatMap(({ one, other }) => [one.samples, other.samples])),
        rng.fork('flip'),
      )
  return {
    a: a.name,
    b: b.name,
    cases: sharedCases.length,
    difference: sharedCases.length ? roundNumber(computeMean(differences)) : null,
    interval: computeDifferenceInterval(differences, rng.fork('bootstrap'), { count }),
    betterA: onlyA,
    betterB: onlyB,
    test: single ? 'mcnemar' : 'sign-flip',
    exact,
    p,
    leastDifference: computeLeastDifference(differences, { alpha, power }),
  }
}

/** A number of which all per-case rates are multiples; null where it would be too small to be of use. */
function findUnit(samples: readonly number[]): number | null {
  let common = 1
  for (const n of new Set(samples)) {
    common = (common / computeGcd(common, n)) * n
    if (common > 100_000) return null
  }
  return 1 / common
}
const computeGcd = (a: number, b: number): number => (b === 0 ? a : computeGcd(b, a % b))
