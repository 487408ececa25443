import type { DifficultyLevels } from '@stateeval/program'

/** The third is as complex as the paper's sets, by the released analyser. */
export const difficulty: DifficultyLevels = [
  { length: 4, branches: 0, pathDepth: { max: 1 } },
  { length: 7, branches: 0.5 },
  { length: 12, pathDepth: { min: 2 }, bindings: { min: 6 } },
  { length: 15, branches: 1, pathDepth: { min: 5 }, bindings: { min: 18 }, distractors: 1 },
  { length: 18, branches: 1, pathDepth: { min: 8 }, bindings: { min: 26 }, distractors: 2 },
]
