/** Computes the score, also in a thread. */
import type { Score, ScoreItem } from '@stateeval/contracts'
import type { Benchmark, Scenario } from '@stateeval/program'
import { scoreOutcomes } from '@stateeval/score'

interface Known {
  scenario(id: string): Scenario
  benchmark(id: string): Benchmark
}

export function scored(item: ScoreItem, lookup: Known): Score {
  if (!('kind' in item))
    return scoreOutcomes(item.expected, item.observed, lookup.scenario(item.scenario).compare)
  const { policy, candidate } = item
  return lookup
    .benchmark(item.kind)
    .score({ case: item.case, candidate, ...(policy === undefined ? {} : { policy }) })
}
