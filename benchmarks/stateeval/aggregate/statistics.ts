/** Statistics over the samples of each case: pass@k, pass^k, and an interval that knows that they are alike. */
import type { Rate, ReportStatistics, ScoredSample } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { type CaseCount, clusteredInterval, overCases, passAllOfK, passAtK, rounded, usualKs, wilson } from '@stateeval/score'
import { isScored } from './rates.ts'

export function statisticsOf(samples: readonly ScoredSample[]): ReportStatistics {
  const cases = new Map<string, CaseCount>()
  for (const sample of samples) {
    if (!isScored(sample)) continue
    const { samples: before, passed } = cases.get(sample.case) ?? { samples: 0, passed: 0 }
    cases.set(sample.case, { samples: before + 1, passed: passed + (sample.score?.passed ? 1 : 0) })
  }
  const counts = [...cases.values()]
  const ks = usualKs(counts.reduce((most, one) => Math.max(most, one.samples), 0))
  return {
    cases: counts.length,
    // A seed of its own: the same samples give the same interval, whatever the evaluation was seeded with.
    clustered: clusteredInterval(counts, createRng('report')),
    passAtK: ks.map((k) => overCases(counts, k, passAtK)),
    passAllK: ks.map((k) => overCases(counts, k, passAllOfK)),
  }
}

/** The rate of first attempts; undefined where no model was asked again. */
export function firstTryOf(samples: readonly ScoredSample[]): Rate | undefined {
  const scored = samples.filter(isScored)
  if (!scored.some(({ score }) => score?.attempts)) return undefined
  const passed = scored.filter(({ score }) => (score?.attempts ? score.attempts[0]?.passed : score?.passed)).length
  return { passed, scored: scored.length, rate: rounded(passed / scored.length), interval: wilson(passed, scored.length) }
}
