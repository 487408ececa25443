/** Tests of two models on the same cases. */
import type { RandomSource } from '@stateeval/program'

/** log C(n, k), summed up from its smaller side. */
function logChoose(n: number, k: number): number {
  let sum = 0
  for (let i = 1; i <= Math.min(k, n - k); i++) sum += Math.log((n - Math.min(k, n - k) + i) / i)
  return sum
}

/**
 * McNemar's exact test, two-sided: the probability that the b + c cases passed by exactly one of two models
 * split at least as unevenly as b to c, if each goes to either model with probability 1/2. 1 if there are
 * no such cases; never 0, the least number in place of a smaller one.
 */
export function testMcNemar(b: number, c: number): number {
  const n = b + c
  if (n === 0 || b === c) return 1
  const fewer = Math.min(b, c)
  const log = logChoose(n, fewer) - n * Math.LN2
  // The terms below C(n, fewer) as shares of it: C(n, i-1) = C(n, i) · i / (n-i+1).
  let [share, sum] = [1, 1]
  for (let i = fewer; i > 0; i--) {
    share *= i / (n - i + 1)
    sum += share
  }
  return Math.max(Number.MIN_VALUE, Math.min(1, 2 * sum * Math.exp(log)))
}

/** The largest table that is filled before chance is asked instead. */
const largestTable = 2_000_000
const maxSteps = 200_000_000
const permutations = 20_000

/**
 * The sign-flip permutation test of paired differences, two-sided: if the two models were the same, each
 * case's difference could as well have the other sign. With one sample a case it is McNemar's exact test;
 * with several it takes each case as one, however many samples it has. `unit` is a number of which all
 * differences are multiples (1/samples): with it the distribution is computed in full; without, or where that
 * is too large, signs are drawn by `rng`.
 */
export function signFlipTest(
  differences: readonly number[],
  unit: number | null,
  rng: RandomSource,
): { p: number; exact: boolean } {
  const some = differences.filter((one) => Math.abs(one) > 1e-12)
  if (some.length === 0) return { p: 1, exact: true }
  if (unit !== null) {
    const steps = some.map((one) => Math.round(one / unit))
    const whole = steps.reduce((sum, one) => sum + Math.abs(one), 0)
    if (2 * whole + 1 <= largestTable && whole * steps.length <= maxSteps)
      return { p: computeFlipProbability(steps, whole), exact: true }
  }
  const observedSum = Math.abs(some.reduce((sum, one) => sum + one, 0)) - 1e-9
  let atLeast = 1
  for (let t = 0; t < permutations; t++) {
    let sum = 0
    for (const one of some) sum += rng.chance(0.5) ? one : -one
    if (Math.abs(sum) >= observedSum) atLeast++
  }
  // The observed signs are one of the drawn (Phipson and Smyth 2010), so that p is never 0.
  return { p: atLeast / (permutations + 1), exact: false }
}

/** The exact distribution of Σ ±|dᵢ| by adding one case after the other; `whole` is Σ |dᵢ|. */
function computeFlipProbability(steps: readonly number[], whole: number): number {
  let chances = new Float64Array(2 * whole + 1)
  chances[whole] = 1
  let reach = 0
  for (const step of steps) {
    const by = Math.abs(step)
    const next = new Float64Array(2 * whole + 1)
    for (let at = whole - reach; at <= whole + reach; at++) {
      const half = (chances[at] as number) / 2
      if (half === 0) continue
      next[at - by] = (next[at - by] as number) + half
      next[at + by] = (next[at + by] as number) + half
    }
    chances = next
    reach += by
  }
  const observedSum = Math.abs(steps.reduce((sum, one) => sum + one, 0))
  if (observedSum === 0) return 1
  let p = 0
  for (let at = 0; at <= whole - observedSum; at++) p += 2 * (chances[at] as number)
  return Math.max(Number.MIN_VALUE, Math.min(1, p))
}

/**
 * Holm's correction for several tests: the smallest p is compared with alpha/m, the next with alpha/(m-1),
 * … Returned in the given order. The probability of even one false alarm in the family stays below alpha,
 * for any dependence between the tests.
 */
export function correctHolm(ps: readonly number[]): number[] {
  const order = ps.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p || a.at - b.at)
  const adjusted = Array<number>(ps.length)
  let least = 0
  for (const [rank, { p, at }] of order.entries()) {
    least = Math.max(least, Math.min(1, p * (ps.length - rank)))
    adjusted[at] = least
  }
  return adjusted
}
