/** Computes the score, also in a thread. */
import type { Score, ScoreItem } from '@stateeval/contracts'
import { compareAtOnce, scoreOutcomes, TakesLong } from '@stateeval/score'
import type { KnownParts } from './known.ts'

export function scoreItem(item: ScoreItem, known: KnownParts): Score {
  if (!('kind' in item))
    return scoreOutcomes(item.expected, item.observed, known.scenario(item.scenario).compare)
  const { policy, candidate } = item
  return known
    .benchmark(item.kind)
    .score({ case: item.case, candidate, ...(policy === undefined ? {} : { policy }) })
}

/** The score where others wait meanwhile; null if it takes long. */
export function scoreItemAtOnce(item: ScoreItem, known: KnownParts): Score | null {
  try {
    return compareAtOnce(() => scoreItem(item, known))
  } catch (error) {
    if (error instanceof TakesLong) return null
    throw error
  }
}
