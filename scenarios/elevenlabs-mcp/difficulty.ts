import type { DifficultyLevels } from '@stateeval/program'

/** The third is as complex as the paper's sets, by the released analyser. */
export const difficulty: DifficultyLevels = [
  { length: 4, branches: 0, pathDepth: { max: 1 } },
  { length: 7, branches: 0.5 },
  { length: 12, pathDepth: { min: 2 }, bindings: { min: 7 } },
  { length: 14, branches: 1, pathDepth: { min: 3 }, bindings: { min: 12 }, distractors: 1 },
  { length: 17, branches: 1, pathDepth: { min: 4 }, bindings: { min: 16 }, distractors: 2 },
]
