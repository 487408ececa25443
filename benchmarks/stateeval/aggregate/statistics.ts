/**
 * Statistics over the samples of each case: pass@k, pass^k, and an interval that knows that they are alike.
 */
import type { Rate, ReportStatistics, ScoredSample } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import {
  tallyCases,
  computeClusteredInterval,
  isScored,
  listOutcomes,
  averageOverCases,
  estimatePassAllOfK,
  estimatePassAtK,
  rateSamples,
  listUsualKs,
} from '@stateeval/score'

/** `overall` is the rate of the same samples. */
export function computeRateStatistics(samples: readonly ScoredSample[], overall: Rate): ReportStatistics {
  const counts = tallyCases(listOutcomes(samples))
  const scoredCases = counts.filter((one) => one.samples > 0)
  const ks = listUsualKs(scoredCases.reduce((largest, one) => Math.max(largest, one.samples), 0))
  return {
    cases: scoredCases.length,
    clustered:
      overall.method === 'clustered'
        ? overall.interval
        : computeClusteredInterval(scoredCases, createRng('report')),
    passAtK: ks.map((k) => averageOverCases(counts, k, estimatePassAtK)),
    passAllK: ks.map((k) => averageOverCases(counts, k, estimatePassAllOfK)),
  }
}

/** The rate of first attempts; undefined where no model was asked again. */
export function rateFirstAttempts(samples: readonly ScoredSample[]): Rate | undefined {
  if (!samples.some((sample) => isScored(sample) && sample.score?.attempts)) return undefined
  return rateSamples(samples, ({ score }) =>
    score?.attempts ? score.attempts[0]?.passed === true : score?.passed === true,
  )
}
