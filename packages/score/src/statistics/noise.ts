/** The difference between two evaluations of one model that chance alone explains. */
import { findNormalQuantile } from './normal.ts'
import type { CaseCount } from './pass-at-k.ts'
import { roundNumber } from './rounded.ts'

/**
 * The difference of pass rates that two evaluations of the same model, with the same cases and number of
 * samples, stay below 95 times out of 100. The variance of each case’s rate is estimated without bias from
 * its samples. Cases with one sample have no such estimate; with them, the result is null.
 */
export function computeNoiseFloor(cases: readonly CaseCount[]): number | null {
  if (cases.length === 0 || cases.some(({ samples }) => samples < 2)) return null
  const variance = cases.reduce((sum, { samples, passed }) => {
    const rate = passed / samples
    return sum + (rate * (1 - rate)) / (samples - 1)
  }, 0)
  return roundNumber((findNormalQuantile(0.975) * Math.sqrt(2 * variance)) / cases.length)
}
