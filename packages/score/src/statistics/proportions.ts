/** Statistics of proportions. Rounded to six decimals, so that a report's bytes are the same on every machine. */

/** Rounds to six decimals. */
export const rounded = (value: number) => Math.round(value * 1e6) / 1e6

/** The Wilson score interval of a proportion, [low, high]; null where nothing was counted. `z` is 1.96 for 95 %. */
export function wilson(successes: number, total: number, z = 1.959963984540054): [number, number] | null {
  if (total <= 0) return null
  const share = successes / total
  const scale = 1 + (z * z) / total
  const centre = (share + (z * z) / (2 * total)) / scale
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))
  return [rounded(Math.max(0, centre - half)), rounded(Math.min(1, centre + half))]
}

/**
 * The unbiased estimate of pass@k for one case: the chance that k of its n samples, drawn without replacement, hold one
 * of the c that passed (Chen et al. 2021). null where there are fewer than k samples.
 */
export function passAtK(samples: number, passed: number, k: number): number | null {
  if (k < 1 || samples < k) return null
  if (samples - passed < k) return 1
  let none = 1
  for (let i = samples - passed + 1; i <= samples; i++) none *= 1 - k / i
  return rounded(1 - none)
}
