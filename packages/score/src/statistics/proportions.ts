/** Intervals of a proportion. */
import { normalQuantile } from './normal.ts'
import { rounded } from './rounded.ts'

export type Interval = [number, number]

/**
 * The Wilson score interval of a proportion, [low, high]; null without observations. It assumes
 * independence: one sample of each case. For several samples per case, see clusteredInterval.
 */
export function wilson(successes: number, total: number, confidence = 0.95): Interval | null {
  if (total <= 0) return null
  const z = normalQuantile(1 - (1 - confidence) / 2)
  const share = successes / total
  const scale = 1 + (z * z) / total
  const centre = (share + (z * z) / (2 * total)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))
  return [rounded(Math.max(0, centre - half)), rounded(Math.min(1, centre + half))]
}
