/**
 * Measures of one policy for a set of samples: pass rate, RESULT and state by themselves, and the mutation
 * score.
 */
import type { Measures, ScoredSample } from '@stateeval/contracts'
import { bracketOf } from '@stateeval/score'
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

export function measuresOf(
  policy: Policy,
  all: readonly ScoredSample[],
): Pick<Measures, 'values' | 'brackets'> {
  const samples = all.filter((sample) => judgementOf(policy, sample))
  const judged = samples.flatMap((sample) => judgementOf(policy, sample) ?? [])
  const passed = judged.filter((one) => one.passed).length
  const with1 = (metric: string) => judged.filter(({ metrics }) => metrics[metric] === 1).length
  const alone = samples.filter((sample) =>
    policies.every((each) => judgementOf(each, sample)?.passed === (each === policy)),
  ).length
  const rates = {
    'Pass rate (r)': passed,
    'RESULT as in the truth (r)': with1('result'),
    'State as in the truth (r)': with1('state'),
  }
  const unscored = all.length - judged.length
  const brackets = Object.entries(rates).map(([name, count]) => [
    name,
    bracketOf(count, judged.length, unscored),
  ])
  return {
    values: {
      Passed: passed,
      ...Object.fromEntries(
        Object.entries(rates).map(([name, count]) => [name, ratio(count, judged.length)]),
      ),
      'Passed under this policy only': alone,
      ...mutationOf(policy, samples),
    },
    ...(unscored > 0 && { brackets: Object.fromEntries(brackets) as Measures['brackets'] }),
  }
}
