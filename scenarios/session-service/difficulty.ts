import type { DifficultyLevels } from '@stateeval/program'

/** The third is as complex as the paper's sets, by the released analyser. */
export const difficulty: DifficultyLevels = [
  { length: 3, branches: 0, pathDepth: { max: 1 } },
  { length: 4, branches: 0.5 },
  { length: 6, pathDepth: { min: 2 }, bindings: { min: 4 } },
  { length: 8, branches: 1, pathDepth: { min: 2 }, bindings: { min: 8 }, distractors: 1 },
  { length: 10, branches: 1, pathDepth: { min: 3 }, bindings: { min: 12 }, distractors: 2 },
]
