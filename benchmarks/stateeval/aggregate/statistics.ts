/**
 * Statistics over the samples of each case: pass@k, pass^k, and an interval that knows that they are alike.
 */
import type { Rate, ReportStatistics, ScoredSample } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { caseCounts, clusteredInterval, overCases, passAllOfK, passAtK, usualKs } from '@stateeval/score'
import { isScored, rateOf } from './rates.ts'

/** `overall` is the rate of the same samples. */
export function statisticsOf(samples: readonly ScoredSample[], overall: Rate): ReportStatistics {
  const counts = caseCounts(
    samples.filter(isScored).map(({ case: id, score }) => ({ case: id, passed: score?.passed === true })),
  )
  const ks = usualKs(counts.reduce((largest, one) => Math.max(largest, one.samples), 0))
  return {
    cases: counts.length,
    clustered:
      overall.method === 'clustered' ? overall.interval : clusteredInterval(counts, createRng('report')),
    passAtK: ks.map((k) => overCases(counts, k, passAtK)),
    passAllK: ks.map((k) => overCases(counts, k, passAllOfK)),
  }
}

/** The rate of first attempts; undefined where no model was asked again. */
export function firstTryOf(samples: readonly ScoredSample[]): Rate | undefined {
  if (!samples.some((sample) => isScored(sample) && sample.score?.attempts)) return undefined
  return rateOf(samples, ({ score }) =>
    score?.attempts ? score.attempts[0]?.passed === true : score?.passed === true,
  )
}
