/** The verdict over all inputs of a case. */
import type { CapturedError, ScoreEvidence, Observation } from '@stateeval/contracts'
import type { ComparisonRules } from '@stateeval/program'
import type { CodeVerdict } from './code-verdicts.ts'
import { compare, type ComparedOutcome } from './compare/compare.ts'
import { createWorkBound, type WorkBound } from './compare/work-bound.ts'
import { judgeEnding } from './endings.ts'
import { formatEvidence, runLabels } from './evidence-text.ts'

export interface InputJudgement {
  verdict: CodeVerdict
  evidence: ScoreEvidence
}

/** The verdict on one input: the results of its run against the reference's. */
export function judgeInput(
  expected: ComparedOutcome,
  observation: Observation,
  comparison: ComparisonRules,
  work?: WorkBound,
): InputJudgement {
  const ending = judgeEnding(observation)
  if (ending.verdict !== 'compare') {
    const labels = runLabels(observation.world)
    const differences = [{ where: 'run', says: formatEvidence(ending.says, labels) }]
    const error =
      'error' in observation.ending ? { error: maskError(observation.ending.error, observation) } : {}
    return { verdict: ending.verdict, evidence: { differences, ...error } }
  }
  // judgeEnding has seen that there is a world.
  const outcome = { result: ending.result, world: observation.world as ComparedOutcome['world'] }
  const comparisonResult = compare(expected, outcome, comparison, work)
  return comparisonResult.equal
    ? { verdict: 'passed', evidence: { differences: [] } }
    : { verdict: 'result_error', evidence: { differences: comparisonResult.differences } }
}

/**
 * The verdict on all inputs of a case. An infrastructure error in any of them decides, because the
 * candidate cannot be judged then. Otherwise the first failed input decides; the case passes only if every
 * input does.
 */
export function judgeInputs(
  expected: readonly ComparedOutcome[],
  observations: readonly Observation[],
  comparison: ComparisonRules,
): InputJudgement {
  if (observations.length !== expected.length) {
    const says = `${observations.length} runs were observed, but the case has ${expected.length} inputs`
    return { verdict: 'infrastructure_error', evidence: { differences: [{ where: 'run', says }] } }
  }
  let failure: InputJudgement | undefined
  // However many inputs there are.
  const work = createWorkBound()
  for (const [input, outcome] of expected.entries()) {
    const observation = observations[input] as Observation
    // Cheap to ask first: a later input's infrastructure error makes comparing this one needless.
    if (failure && judgeEnding(observation).verdict !== 'infrastructure_error') continue
    const { verdict, evidence } = judgeInput(outcome, observation, comparison, work)
    if (verdict === 'infrastructure_error') return { verdict, evidence: { input, ...evidence } }
    if (verdict !== 'passed') failure ??= { verdict, evidence: { input, ...evidence } }
  }
  return failure ?? { verdict: 'passed', evidence: { differences: [] } }
}

function maskError(
  { name, message, line, status }: CapturedError,
  { world }: Observation,
): NonNullable<ScoreEvidence['error']> {
  const labels = runLabels(world)
  return {
    name: formatEvidence(name, labels),
    message: formatEvidence(message, labels),
    ...(line === undefined ? {} : { line }),
    ...(status === undefined ? {} : { status }),
  }
}
