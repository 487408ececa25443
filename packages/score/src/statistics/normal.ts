/** The standard normal distribution, and Student's t. */

const computeDensity = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)

/**
 * P(Z ≤ x), to about 1e-15: Marsaglia's series near 0 ("Evaluating the normal distribution", J. Stat.
 * Software 11, 2004), a continued fraction of the tail beyond 4.
 */
export function computeNormalCdf(x: number): number {
  if (x < -4) return computeTail(-x)
  if (x > 4) return 1 - computeTail(x)
  let term = x
  let sum = x
  for (let n = 3; Math.abs(term) > 1e-17; n += 2) {
    term *= (x * x) / n
    sum += term
  }
  return 0.5 + sum * computeDensity(x)
}

/** P(Z > x) for a large x. */
function computeTail(x: number): number {
  let fraction = 0
  for (let n = 60; n > 0; n--) fraction = n / (x + fraction)
  return computeDensity(x) / (x + fraction)
}

/** The z with P(Z ≤ z) = p, for 0 < p < 1: by halving, then Newton's method. */
export function findNormalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a quantile needs a probability between 0 and 1, not ${p}`)
  if (p > 0.5) return -findNormalQuantile(1 - p)
  let [low, high] = [-40, 0]
  for (let n = 0; n < 50; n++) {
    const middle = (low + high) / 2
    if (computeNormalCdf(middle) < p) low = middle
    else high = middle
  }
  let z = (low + high) / 2
  for (let n = 0; n < 3; n++) z -= (computeNormalCdf(z) - p) / computeDensity(z)
  return z
}

/**
 * The t with P(T ≤ t) = p for the given degrees of freedom (at least 4): accurate to 0.02, by Cornish and
 * Fisher's expansion.
 */
export function findTQuantile(p: number, degrees: number): number {
  const z = findNormalQuantile(p)
  const [z3, z5, z7] = [z ** 3, z ** 5, z ** 7]
  return (
    z +
    (z3 + z) / (4 * degrees) +
    (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees ** 3)
  )
}
