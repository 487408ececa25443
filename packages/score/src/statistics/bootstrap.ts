/**
 * Bootstrap intervals: whole cases are drawn with replacement, because the samples of one case are
 * correlated.
 */
import type { RandomSource } from '@stateeval/program'
import { computeNormalCdf, findTQuantile } from './normal.ts'
import type { CaseCount } from './pass-at-k.ts'
import { computeBonettPrice, type NumberInterval, computeWilson } from './proportions.ts'
import { roundNumber } from './rounded.ts'

/** The default number of resamples. */
export const resamples = 10_000

/** At most this many draws in one interval, so that a large set takes a second, not a minute. */
const maxDraws = 10_000_000

/** The quantile of sorted values, interpolated between neighbours (R's type 7). */
export function interpolateQuantile(sortedValues: readonly number[] | Float64Array, share: number): number {
  const at = share * (sortedValues.length - 1)
  const low = Math.floor(at)
  const [a, b] = [
    sortedValues[low] as number,
    sortedValues[Math.min(low + 1, sortedValues.length - 1)] as number,
  ]
  return a + (at - low) * (b - a)
}

/** Draws cases and returns the sorted values of a ratio of sums. */
function drawRatios(
  numerators: readonly number[],
  denominators: readonly number[],
  rng: RandomSource,
  count: number,
): Float64Array {
  const n = numerators.length
  const times = Math.max(200, Math.min(count, Math.floor(maxDraws / n)))
  const values = new Float64Array(times)
  for (let t = 0; t < times; t++) {
    let [above, below] = [0, 0]
    for (let i = 0; i < n; i++) {
      const index = rng.int(0, n - 1)
      above += numerators[index] as number
      below += denominators[index] as number
    }
    values[t] = above / below
  }
  return values.sort()
}

const readInterval = (sortedRates: Float64Array, confidence: number): NumberInterval => [
  roundNumber(interpolateQuantile(sortedRates, (1 - confidence) / 2)),
  roundNumber(interpolateQuantile(sortedRates, (1 + confidence) / 2)),
]

/** Sorted rates over all samples, of whole cases drawn anew. */
const drawRates = (cases: readonly CaseCount[], rng: RandomSource, count: number) =>
  drawRatios(
    cases.map(({ passed }) => passed),
    cases.map(({ samples }) => samples),
    rng,
    count,
  )

/**
 * The plain percentile interval of a pass rate over all samples, with cases as clusters. It is too narrow
 * for few cases.
 */
export const computePercentileInterval = (
  cases: readonly CaseCount[],
  rng: RandomSource,
  { confidence = 0.95, count = resamples } = {},
): NumberInterval => readInterval(drawRates(cases, rng, count), confidence)

/** With fewer cases than this, a bootstrap has too few different draws to say anything. */
const fewestCases = 5

/**
 * The confidence of percentiles that makes up for few cases: further out by as much as Student's t is wider
 * than the normal (Hesterberg 2015, "What teachers should know about the bootstrap").
 */
const widenConfidence = (cases: number, confidence: number) =>
  1 - 2 * computeNormalCdf(-Math.sqrt(cases / (cases - 1)) * findTQuantile((1 + confidence) / 2, cases - 1))

/**
 * The interval of a pass rate over all samples, with cases as clusters; null where nothing was scored.
 * Percentiles of whole cases drawn anew, further out for few cases, and never narrower than for
 * independent samples. Fewer than five cases count as one each. docs/decisions/interval-of-a-rate.md has how
 * often it covers the truth.
 */
export function computeClusteredInterval(
  cases: readonly CaseCount[],
  rng: RandomSource,
  { confidence = 0.95, count = resamples } = {},
): NumberInterval | null {
  const scoredCases = cases.filter(({ samples }) => samples > 0)
  const n = scoredCases.length
  if (n === 0) return null
  const samples = scoredCases.reduce((sum, one) => sum + one.samples, 0)
  const passed = scoredCases.reduce((sum, one) => sum + one.passed, 0)
  // If all samples or none passed, every draw is the same and shows nothing: then each case counts once, too.
  if (n < fewestCases || passed === 0 || passed === samples)
    return computeWilson((n * passed) / samples, n, confidence)
  const [low, high] = readInterval(drawRates(scoredCases, rng, count), widenConfidence(n, confidence))
  const [independentLow, independentHigh] = computeWilson(passed, samples, confidence) as NumberInterval
  return [Math.min(low, independentLow), Math.max(high, independentHigh)]
}

/**
 * Tells whether draws of whole cases show anything about their mean: equal values always have the same mean.
 */
const hasSpread = (values: readonly number[]) =>
  values.length >= fewestCases && values.some((value) => Math.abs(value - values[0]!) > 1e-12)

/**
 * The interval of the mean of one value per case, of any scale: percentiles of whole cases drawn anew,
 * further out for few cases. null for fewer than five cases, or where all values are the same.
 */
export function computeMeanInterval(
  values: readonly number[],
  rng: RandomSource,
  { confidence = 0.95, count = resamples } = {},
): NumberInterval | null {
  if (!hasSpread(values)) return null
  const ones = values.map(() => 1)
  return readInterval(drawRatios(values, ones, rng, count), widenConfidence(values.length, confidence))
}

/**
 * The interval of the mean difference of two rates of the same cases; null without cases. Where draws of
 * cases would say nothing, Bonett and Price's: it does not shrink to a point.
 */
export const computeDifferenceInterval = (
  differences: readonly number[],
  rng: RandomSource,
  { confidence = 0.95, count = resamples } = {},
): NumberInterval | null =>
  computeMeanInterval(differences, rng, { confidence, count }) ?? computeBonettPrice(differences, confidence)
