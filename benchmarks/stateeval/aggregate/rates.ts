/** Pass rates of samples. What was not scored counts in no denominator. */
import type { Rate, ScoredSample } from '@stateeval/contracts'
import { rateOf as rateOfOutcomes } from '@stateeval/score'

export const isScored = ({ score }: ScoredSample) =>
  score !== null && score.verdict !== 'infrastructure_error'

/** `passes`: whether a scored sample counts as passed, where that is not its final score. */
export const rateOf = (
  samples: readonly ScoredSample[],
  passes = ({ score }: ScoredSample) => score?.passed === true,
): Rate =>
  rateOfOutcomes(samples.filter(isScored).map((sample) => ({ case: sample.case, passed: passes(sample) })))

/** How often each name of a closed list occurs, in the list's order. */
export const counted = (names: readonly string[], occurrences: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, occurrences.filter((one) => one === name).length]))
