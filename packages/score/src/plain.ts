/** A score of runs against expectations without a test case, for callers without a program or benchmark. */
import type { Observation, Score } from '@stateeval/contracts'
import type { ComparisonRules } from '@stateeval/program'
import type { ComparedOutcome } from './compare/compare.ts'
import { judgeInputs } from './verdicts.ts'

/**
 * One score over all inputs. `pass` is 1 or 0, or null if an infrastructure error leaves the verdict open.
 */
export function scoreOutcomes(
  expected: readonly ComparedOutcome[],
  observed: readonly Observation[],
  comparison: ComparisonRules,
): Score {
  const { verdict, evidence } = judgeInputs(expected, observed, comparison)
  const passed = verdict === 'passed'
  return {
    passed,
    verdict,
    metrics: { pass: verdict === 'infrastructure_error' ? null : passed ? 1 : 0 },
    evidence,
  }
}
