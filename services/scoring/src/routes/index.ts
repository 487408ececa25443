/** One file per operation; the compiler checks the list against the contract. */
import type { scoringOperations } from '@stateeval/contracts'
import type { OperationHandlers } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { ScoringContext } from '../context.ts'
import { computeStatistics } from './compute-statistics.ts'
import { createScores } from './create-scores.ts'

export const handlers: OperationHandlers<typeof scoringOperations, ScoringContext, typeof works> = {
  createScores,
  computeStatistics,
}
