/**
 * What one policy says of a set of samples: pass rate, RESULT and state by themselves, and the mutation
 * score.
 */
import type { Measures, ScoredSample } from '@stateeval/contracts'
import { policies, type Policy } from '../readings.ts'

const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole)
const judgementOf = (policy: Policy, { score }: ScoredSample) => score?.policies?.[policy]
/** A case that the policy takes no answer to says nothing of mutants either. */
const counts = (policy: Policy, sample: ScoredSample) =>
  judgementOf(policy, sample)?.verdict !== 'rejected_case'

/**
 * Mutants that are known to differ from the reference: caught under the policy that drove, or seen to differ
 * where they passed.
 */
const differing = ({ mutant }: ScoredSample) =>
  mutant !== undefined && ['caught_by_exception', 'caught_by_comparison', 'survived'].includes(mutant.outcome)

/**
 * Measures of mutants, there only where some were evaluated. Denominators are the same under every policy.
 */
function mutationOf(policy: Policy, samples: readonly ScoredSample[]): Measures['values'] {
  if (!samples.some(({ mutant }) => mutant)) return {}
  const mutants = samples.filter(differing).filter((one) => policies.every((each) => counts(each, one)))
  const caught = mutants.filter((one) => judgementOf(policy, one)?.passed === false).length
  return {
    'Mutants that differ': mutants.length,
    'Mutants caught': caught,
    'Mutation score (r)': ratio(caught, mutants.length),
  }
}

export function measuresOf(policy: Policy, samples: readonly ScoredSample[]): Measures['values'] {
  const judged = samples.flatMap((sample) => judgementOf(policy, sample) ?? [])
  const passed = judged.filter((one) => one.passed).length
  const with1 = (metric: string) => judged.filter(({ metrics }) => metrics[metric] === 1).length
  const alone = samples.filter((sample) =>
    policies.every((each) => judgementOf(each, sample)?.passed === (each === policy)),
  ).length
  return {
    Passed: passed,
    'Pass rate (r)': ratio(passed, judged.length),
    'RESULT as in the truth (r)': ratio(with1('result'), judged.length),
    'State as in the truth (r)': ratio(with1('state'), judged.length),
    'Passed under this policy only': alone,
    ...mutationOf(policy, samples),
  }
}
