/** Pass rates of samples. What was not scored counts in no denominator. */
import type { Rate, ScoredSample } from '@stateeval/contracts'
import { rounded, wilson } from '@stateeval/score'

export const isScored = ({ score }: ScoredSample) => score !== null && score.verdict !== 'infrastructure_error'

export function rateOf(samples: readonly ScoredSample[]): Rate {
  const scored = samples.filter(isScored)
  const passed = scored.filter(({ score }) => score?.passed).length
  return {
    passed,
    scored: scored.length,
    rate: scored.length ? rounded(passed / scored.length) : null,
    interval: wilson(passed, scored.length),
  }
}

/** How often each name of a closed list occurs, in the list's order. */
export const counted = (names: readonly string[], found: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, found.filter((one) => one === name).length]))
