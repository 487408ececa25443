/** The least effect that a set of this size can detect. */
import { normalQuantile } from './normal.ts'
import { mean, rounded } from './rounded.ts'

/** The fewest cases whose drop is significant if no case improves: the smallest n with 2^(1-n) < alpha. */
export const fewestDrops = (alpha: number) => Math.floor(1 - Math.log2(alpha)) + 1

/**
 * The least difference of two pass rates that a paired test on n cases would have found with the given power:
 * the δ > 0 with n·δ² = (z₁₋α⁄₂·√ψ + z_power·√(ψ - δ²))² (Connor 1987, Biometrics 43:207-211; Miettinen
 * 1968). ψ is the mean square of the cases' differences: with one sample a case, the share of cases that the
 * two models do not agree on. null where nothing differs, where even all differences in one direction
 * would not have been found, and where so few cases can show nothing.
 */
export function leastDifference(
  differences: readonly number[],
  { alpha = 0.05, power = 0.8 } = {},
): number | null {
  const cases = differences.length
  if (cases < fewestDrops(alpha)) return null
  const meanSquare = mean(differences.map((one) => one * one))
  const maxEffect = mean(differences.map(Math.abs))
  const [za, zb] = [normalQuantile(1 - alpha / 2), normalQuantile(power)]
  const inner = cases + zb * zb - za * za
  if (meanSquare <= 0 || inner < 0) return null
  const delta = (Math.sqrt(meanSquare) * (za * Math.sqrt(cases) + zb * Math.sqrt(inner))) / (cases + zb * zb)
  return delta <= maxEffect ? rounded(delta) : null
}
