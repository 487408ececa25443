/** Models that answered the same cases, compared pair by pair. */
import type { ComparedModel, ComparedPair, ModelComparison } from '@stateeval/contracts'
import { createRng, type RandomSource } from '@stateeval/program'
import { differenceInterval, resamples } from './bootstrap.ts'
import { explanations } from './explanations.ts'
import { leastDifference } from './least-effect.ts'
import { noiseFloor } from './noise.ts'
import { holm, mcNemarExact, signFlipTest } from './paired-tests.ts'
import { type CaseCount, overCases, passAllOfK, passAtK, usualKs } from './pass-at-k.ts'
import { rateOfCases } from './rate.ts'
import { mean, rounded, roundedP } from './rounded.ts'

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
  const describedModels = models.map(described)
  const { bracket, ...usual } = explanations
  return {
    alpha,
    power,
    models: describedModels,
    pairs: correctedPairs(tests, alpha),
    explanations: { ...usual, ...(describedModels.some((one) => one.bracket) && { bracket }) },
  }
}

function described({ name, cases }: ModelCounts): ComparedModel {
  const counts = [...cases.values()]
  const scoredCases = counts.filter((one) => one.samples > 0)
  const { scored: samples, ...rate } = rateOfCases(counts)
  const ks = usualKs(Math.max(0, ...scoredCases.map((one) => one.samples)))
  return {
    name,
    cases: scoredCases.length,
    samples,
    ...rate,
    passAtK: ks.map((k) => overCases(counts, k, passAtK)),
    passAllK: ks.map((k) => overCases(counts, k, passAllOfK)),
    ...(rate.method === 'clustered' && { noise: noiseFloor(scoredCases) }),
  }
}

type Tested = Omit<ComparedPair, 'adjusted' | 'significant'>
/** The tests of one family, with p-values after Holm's correction and what is significant at alpha. */
export function correctedPairs(tests: readonly Tested[], alpha: number): ComparedPair[] {
  const adjusted = holm(tests.map(({ p }) => p))
  return tests.map((test, n) => {
    const corrected = adjusted[n] as number
    return { ...test, p: roundedP(test.p), adjusted: roundedP(corrected), significant: corrected < alpha }
  })
}

/** Two models on their common cases; p is neither rounded nor corrected for multiple tests. */
export function testPair(
  a: ModelCounts,
  b: ModelCounts,
  rng: RandomSource,
  { alpha, power, count }: { alpha: number; power: number; count: number },
): Tested {
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
    ? { p: mcNemarExact(onlyA, onlyB), exact: true }
    : signFlipTest(
        differences,
        unitOf(sharedCases.flatMap(({ one, other }) => [one.samples, other.samples])),
        rng.fork('flip'),
      )
  return {
    a: a.name,
    b: b.name,
    cases: sharedCases.length,
    difference: sharedCases.length ? rounded(mean(differences)) : null,
    interval: differenceInterval(differences, rng.fork('bootstrap'), { count }),
    betterA: onlyA,
    betterB: onlyB,
    test: single ? 'mcnemar' : 'sign-flip',
    exact,
    p,
    leastDifference: leastDifference(differences, { alpha, power }),
  }
}

/** A number of which all per-case rates are multiples; null where it would be too small to be of use. */
function unitOf(samples: readonly number[]): number | null {
  let common = 1
  for (const n of new Set(samples)) {
    common = (common / gcd(common, n)) * n
    if (common > 100_000) return null
  }
  return 1 / common
}
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
