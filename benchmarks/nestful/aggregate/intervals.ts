/** 95 % intervals of measures over cases: samples of one case are alike, so a case counts as one. */
import type { RateBracket } from '@stateeval/contracts'
import { roundNumber, computeWilson } from '@stateeval/score'

const z = 1.959964

/**
 * Computes an interval by the jackknife: what the measure is without each case tells how much it depends on
 * the cases that were drawn. Uses Wilson's interval of a rate over as many cases instead where the measure is
 * 0 or its maximum without any of them, or is a rate of single samples, Wilson's interval of a rate over as
 * many cases.
 *
 * @param without the measure without each case.
 */
export function computeJackknife(
  value: number,
  without: readonly number[],
  { scale = 1, isRate = false }: { scale?: number; isRate?: boolean } = {},
): RateBracket | undefined {
  const n = without.length
  if (n < 2) return undefined
  const mean = without.reduce((sum, one) => sum + one, 0) / n
  const spread = Math.sqrt(((n - 1) / n) * without.reduce((sum, one) => sum + (one - mean) ** 2, 0))
  if (isRate || (spread === 0 && (value === 0 || value === scale))) {
    const [low, high] = computeWilson((n * value) / scale, n)!
    return [roundNumber(scale * low), roundNumber(scale * high)]
  }
  return [roundNumber(Math.max(0, value - z * spread)), roundNumber(Math.min(scale, value + z * spread))]
}

/** The mean of values without those of each case. */
export function averageWithout(byCase: ReadonlyMap<unknown, readonly number[]>): number[] {
  const all = [...byCase.values()].map((values) => ({
    sum: values.reduce((total, one) => total + one, 0),
    count: values.length,
  }))
  const [sum, count] = [
    all.reduce((total, one) => total + one.sum, 0),
    all.reduce((total, one) => total + one.count, 0),
  ]
  return count === 0
    ? []
    : all.map((one) => (count === one.count ? 0 : (sum - one.sum) / (count - one.count)))
}
