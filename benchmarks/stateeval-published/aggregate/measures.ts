/**
 * Measures of one policy for a set of samples: pass rate, RESULT and state by themselves, and the mutation
 * score.
 */
import type { Measures, ScoredSample } from '@stateeval/contracts'
import type { MeasureDirections } from '@stateeval/program'
import { computeRateBracket } from '@stateeval/score'
import { policies, type PublishedPolicy } from '../readings.ts'

/** Which way each is better, by the beginning of its name. */
export const measures: MeasureDirections = {
  Pass: 'higher',
  'RESULT as': 'higher',
  'State as': 'higher',
  'Passed under this policy only': 'neither',
  'Mutants that differ': 'neither',
  // Of the judge, not of a model.
  'Mutants caught': 'higher',
  'Mutation score': 'higher',
}

const divideParts = (part: number, whole: number) => (whole === 0 ? null : part / whole)
const findPolicyJudgement = (policy: PublishedPolicy, { score }: ScoredSample) => score?.policies?.[policy]
/** A case that the policy takes no answer to says nothing of mutants either. */
const isCounted = (policy: PublishedPolicy, sample: ScoredSample) =>
  findPolicyJudgement(policy, sample)?.verdict !== 'rejected_case'

/**
 * Mutants that are known to differ from the reference: caught under the policy that drove, or seen to differ
 * where they passed.
 */
const isDiffering = ({ mutant }: ScoredSample) =>
  mutant !== undefined && ['caught_by_exception', 'caught_by_comparison', 'survived'].includes(mutant.outcome)

/**
 * Measures of mutants, there only where some were evaluated. Denominators are the same under every policy.
 */
function computeMutationMeasures(
  policy: PublishedPolicy,
  samples: readonly ScoredSample[],
): Measures['values'] {
  if (!samples.some(({ mutant }) => mutant)) return {}
  const mutants = samples.filter(isDiffering).filter((one) => policies.every((each) => isCounted(each, one)))
  const caught = mutants.filter((one) => findPolicyJudgement(policy, one)?.passed === false).length
  return {
    'Mutants that differ': mutants.length,
    'Mutants caught': caught,
    'Mutation score (r)': divideParts(caught, mutants.length),
  }
}

export function computePublishedMeasures(
  policy: PublishedPolicy,
  all: readonly ScoredSample[],
): Pick<Measures, 'values' | 'brackets'> {
  const samples = all.filter((sample) => findPolicyJudgement(policy, sample))
  const judged = samples.flatMap((sample) => findPolicyJudgement(policy, sample) ?? [])
  const passed = judged.filter((one) => one.passed).length
  const with1 = (metric: string) => judged.filter(({ metrics }) => metrics[metric] === 1).length
  const alone = samples.filter((sample) =>
    policies.every((each) => findPolicyJudgement(each, sample)?.passed === (each === policy)),
  ).length
  const rates = {
    'Pass rate (r)': passed,
    'RESULT as in the truth (r)': with1('result'),
    'State as in the truth (r)': with1('state'),
  }
  const unscored = all.length - judged.length
  const brackets = Object.entries(rates).map(([name, count]) => [
    name,
    computeRateBracket(count, judged.length, unscored),
  ])
  return {
    values: {
      Passed: passed,
      ...Object.fromEntries(
        Object.entries(rates).map(([name, count]) => [name, divideParts(count, judged.length)]),
      ),
      'Passed under this policy only': alone,
      ...computeMutationMeasures(policy, samples),
    },
    ...(unscored > 0 && { brackets: Object.fromEntries(brackets) as Measures['brackets'] }),
  }
}
