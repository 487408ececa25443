/** The least effect that a set of this size can detect. */
import { findNormalQuantile } from './normal.ts'
import { computeMean, roundNumber } from './rounded.ts'

/** The fewest cases whose drop is significant if no case improves: the smallest n with 2^(1-n) < alpha. */
export const countFewestDrops = (alpha: number) => Math.floor(1 - Math.log2(alpha)) + 1

/**
 * The least difference of two pass rates that a paired test on n cases would have found with the given power:
 * the δ > 0 with n·δ² = (z₁₋α⁄₂·√ψ + z_power·√(ψ - δ²))² (Connor 1987, Biometrics 43:207-211; Miettinen
 * 1968). ψ is the mean square of the cases' differences: with one sample a case, the share of cases that the
 * two models do not agree on. null where nothing differs, where even all differences in one direction
 * would not have been found, and where so few cases can show nothing.
 */
export function computeLeastDifference(
  differences: readonly number[],
  { alpha = 0.05, power = 0.8 } = {},
): number | null {
  const cases = differences.length
  if (cases < countFewestDrops(alpha)) return null
  const meanSquare = computeMean(differences.map((one) => one * one))
  const maxEffect = computeMean(differences.map(Math.abs))
  const [za, zb] = [findNormalQuantile(1 - alpha / 2), findNormalQuantile(power)]
  const inner = cases + zb * zb - za * za
  if (meanSquare <= 0 || inner < 0) return null
  const delta = (Math.sqrt(meanSquare) * (za * Math.sqrt(cases) + zb * Math.sqrt(inner))) / (cases + zb * zb)
  return delta <= maxEffect ? roundNumber(delta) : null
}
