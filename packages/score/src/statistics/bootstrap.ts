/** Bootstrap intervals: whole cases are drawn with replacement, since the samples of one case are alike. */
import type { Rng } from '@stateeval/program'
import type { CaseCount } from './pass-at-k.ts'
import { type Interval, wilson } from './proportions.ts'
import { rounded } from './rounded.ts'

/** How often cases are drawn anew, unless a caller says otherwise. */
export const resamples = 10_000

/** At most this many draws in one interval, so that a large set takes a second, not a minute. */
const mostDraws = 10_000_000

/** The value below which a share of sorted values lies, between neighbours where it falls between them (R's type 7). */
export function quantile(sorted: readonly number[] | Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const [a, b] = [sorted[low] as number, sorted[Math.min(low + 1, sorted.length - 1)] as number]
  return a + (at - low) * (b - a)
}

/** Draws cases and returns the sorted values of a ratio of sums. */
function ratios(numerators: readonly number[], denominators: readonly number[], rng: Rng, count: number): Float64Array {
  const n = numerators.length
  const times = Math.max(200, Math.min(count, Math.floor(mostDraws / n)))
  const values = new Float64Array(times)
  for (let t = 0; t < times; t++) {
    let [above, below] = [0, 0]
    for (let i = 0; i < n; i++) {
      const drawn = rng.int(0, n - 1)
      above += numerators[drawn] as number
      below += denominators[drawn] as number
    }
    values[t] = above / below
  }
  return values.sort()
}

const interval = (sorted: Float64Array, confidence: number): Interval => [
  rounded(quantile(sorted, (1 - confidence) / 2)),
  rounded(quantile(sorted, (1 + confidence) / 2)),
]

/** The percentile interval of a pass rate over all samples, with cases as clusters; null where nothing was scored. */
export function clusteredInterval(cases: readonly CaseCount[], rng: Rng, { confidence = 0.95, count = resamples } = {}): Interval | null {
  const scored = cases.filter(({ samples }) => samples > 0)
  if (scored.length === 0) return null
  // Where all or none passed, every draw is the same and says nothing: then cases count as one each.
  const all = scored.every(({ passed, samples }) => passed === samples)
  if (all || scored.every(({ passed }) => passed === 0)) return wilson(all ? scored.length : 0, scored.length, confidence)
  const draws = ratios(
    scored.map(({ passed }) => passed),
    scored.map(({ samples }) => samples),
    rng,
    count,
  )
  return interval(draws, confidence)
}

/** The percentile interval of the mean of one value a case, such as the difference of two models; null where there is none. */
export function meanInterval(values: readonly number[], rng: Rng, { confidence = 0.95, count = resamples } = {}): Interval | null {
  if (values.length === 0) return null
  return interval(
    ratios(
      values,
      values.map(() => 1),
      rng,
      count,
    ),
    confidence,
  )
}
