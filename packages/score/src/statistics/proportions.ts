/** Intervals of a proportion, and of the difference of two. */
import { findNormalQuantile } from './normal.ts'
import { roundNumber } from './rounded.ts'

export type NumberInterval = [number, number]

/**
 * The Wilson score interval of a proportion, [low, high]; null without observations. It assumes
 * independence: one sample of each case. For several samples per case, see computeClusteredInterval.
 */
export function computeWilson(successes: number, total: number, confidence = 0.95): NumberInterval | null {
  if (total <= 0) return null
  const z = findNormalQuantile(1 - (1 - confidence) / 2)
  const share = successes / total
  const scale = 1 + (z * z) / total
  const centre = (share + (z * z) / (2 * total)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))
  return [roundNumber(Math.max(0, centre - half)), roundNumber(Math.min(1, centre + half))]
}

/**
 * The adjusted Wald interval of the difference of two paired proportions (Bonett and Price 2012, "Adjusted
 * Wald Confidence Interval for a Difference of Binomial Proportions Based on Paired Data"), [low, high]; null
 * without cases. `differences`: one per case, from -1 to 1; one of several samples counts in part.
 */
export function computeBonettPrice(differences: readonly number[], confidence = 0.95): NumberInterval | null {
  if (differences.length === 0) return null
  const z = findNormalQuantile(1 - (1 - confidence) / 2)
  const n = differences.length + 2
  const shareOf = (sign: number) =>
    (differences.reduce((sum, one) => sum + Math.max(0, sign * one), 0) + 1) / n
  const [higher, lower] = [shareOf(1), shareOf(-1)]
  const centre = higher - lower
  const half = z * Math.sqrt((higher + lower - centre ** 2) / n)
  return [roundNumber(Math.max(-1, centre - half)), roundNumber(Math.min(1, centre + half))]
}
