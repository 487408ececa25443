/** Unbiased pass@k and pass^k, from the samples of each case. */
import type { OverCases } from '@stateeval/contracts'
import { roundNumber } from './rounded.ts'

/** How many samples of a case were scored, how many of them passed, and how many have no score. */
export interface CaseCount {
  samples: number
  passed: number
  unscored?: number
}

/** C(a, k) / C(n, k), as a product that never overflows. */
function computeChoiceRatio(a: number, n: number, k: number): number {
  let share = 1
  for (let i = 0; i < k; i++) share *= Math.max(0, a - i) / (n - i)
  return share
}

/**
 * The unbiased estimate of pass@k for one case: the probability that k of its n samples, drawn without
 * replacement, include one of the c that passed: 1 - C(n-c, k)/C(n, k) (Chen et al. 2021). null for fewer
 * than k samples.
 */
export function estimatePassAtK(samples: number, passed: number, k: number): number | null {
  if (k < 1 || samples < k) return null
  return 1 - computeChoiceRatio(samples - passed, samples, k)
}

/**
 * The unbiased estimate of pass^k for one case: the probability that all k samples, drawn without
 * replacement, passed: C(c, k)/C(n, k) (Yao et al. 2024, tau-bench). null for fewer than k samples.
 */
export function estimatePassAllOfK(samples: number, passed: number, k: number): number | null {
  if (k < 1 || samples < k) return null
  return computeChoiceRatio(passed, samples, k)
}

/**
 * The mean of an estimate over the cases that have k scored samples; null if none has. Its bracket is over
 * the cases that have k samples, scored or not.
 */
export function averageOverCases(
  counts: readonly CaseCount[],
  k: number,
  estimate: typeof estimatePassAtK,
): OverCases {
  const meanOf = (of: (count: Required<CaseCount>) => number | null) => {
    const estimates = counts.flatMap(({ unscored = 0, ...count }) => of({ ...count, unscored }) ?? [])
    const sum = estimates.reduce((total, one) => total + one, 0)
    return { mean: estimates.length ? roundNumber(sum / estimates.length) : null, cases: estimates.length }
  }
  const { mean, cases } = meanOf(({ samples, passed }) => estimate(samples, passed, k))
  const ends = [0, 1].flatMap(
    (share) =>
      meanOf(({ samples, passed, unscored }) => estimate(samples + unscored, passed + share * unscored, k))
        .mean ?? [],
  )
  const [low, high] = counts.some(({ unscored = 0 }) => unscored > 0) ? ends : []
  return {
    k,
    estimate: mean,
    cases,
    ...(low !== undefined && high !== undefined && { bracket: [low, high] }),
  }
}

/** 1, 2, 5, 10, 20, 50, … up to n, and n itself: the values of k to report. */
export function listUsualKs(n: number): number[] {
  const ks: number[] = []
  for (let ten = 1; ten <= n; ten *= 10) ks.push(...[ten, 2 * ten, 5 * ten].filter((k) => k <= n))
  return n > 0 && ks.at(-1) !== n ? [...ks, n] : ks
}
