/**
 * Statistics over the samples of each case: pass@k, pass^k, and an interval that knows that they are alike.
 */
import type { Rate, ReportStatistics, ScoredSample } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import {
  caseCounts,
  clusteredInterval,
  isScored,
  outcomesOf,
  overCases,
  passAllOfK,
  passAtK,
  rateOfSamples,
  usualKs,
} from '@stateeval/score'

/** `overall` is the rate of the same samples. */
export function computeRateStatistics(samples: readonly ScoredSample[], overall: Rate): ReportStatistics {
  const counts = caseCounts(outcomesOf(samples))
  const scoredCases = counts.filter((one) => one.samples > 0)
  const ks = usualKs(scoredCases.reduce((largest, one) => Math.max(largest, one.samples), 0))
  return {
    cases: scoredCases.length,
    clustered:
      overall.method === 'clustered' ? overall.interval : clusteredInterval(scoredCases, createRng('report')),
    passAtK: ks.map((k) => overCases(counts, k, passAtK)),
    passAllK: ks.map((k) => overCases(counts, k, passAllOfK)),
  }
}

/** The rate of first attempts; undefined where no model was asked again. */
export function rateFirstAttempts(samples: readonly ScoredSample[]): Rate | undefined {
  if (!samples.some((sample) => isScored(sample) && sample.score?.attempts)) return undefined
  return rateOfSamples(samples, ({ score }) =>
    score?.attempts ? score.attempts[0]?.passed === true : score?.passed === true,
  )
}
