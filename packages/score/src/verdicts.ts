/** The verdict over all inputs of a case. */
import type { CapturedError, CodeVerdict, Evidence, Observation } from '@stateeval/contracts'
import type { Comparison } from '@stateeval/program'
import { compare, type ComparedOutcome } from './compare/compare.ts'
import { endingVerdict } from './endings.ts'
import { evidenceText, runLabels } from './evidence-text.ts'

export interface Judgement {
  verdict: CodeVerdict
  evidence: Evidence
}

/** One input: what its run left behind against what the reference's left. */
export function judge(
  expected: ComparedOutcome,
  observation: Observation,
  comparison: Comparison,
): Judgement {
  const ended = endingVerdict(observation)
  if (ended.verdict !== 'compare') {
    const labels = runLabels(observation.world)
    const differences = [{ where: 'run', says: evidenceText(ended.says, labels) }]
    const error =
      'error' in observation.ending ? { error: steadyError(observation.ending.error, observation) } : {}
    return { verdict: ended.verdict, evidence: { differences, ...error } }
  }
  // endingVerdict has seen that there is a world.
  const found = { result: ended.result, world: observation.world as ComparedOutcome['world'] }
  const compared = compare(expected, found, comparison)
  return compared.equal
    ? { verdict: 'passed', evidence: { differences: [] } }
    : { verdict: 'result_error', evidence: { differences: compared.differences } }
}

/**
 * All inputs of a case: an infrastructure error anywhere decides, since nothing can then be said of the candidate; else
 * the first input that failed, in order; passed only if every input did.
 */
export function judgeAll(
  expected: readonly ComparedOutcome[],
  observations: readonly Observation[],
  comparison: Comparison,
): Judgement {
  if (observations.length !== expected.length) {
    const says = `${observations.length} runs were observed, but the case has ${expected.length} inputs`
    return { verdict: 'infrastructure_error', evidence: { differences: [{ where: 'run', says }] } }
  }
  let failed: Judgement | undefined
  for (const [input, outcome] of expected.entries()) {
    const observation = observations[input] as Observation
    // Cheap to ask first: a later input's infrastructure error makes comparing this one needless.
    if (failed && endingVerdict(observation).verdict !== 'infrastructure_error') continue
    const { verdict, evidence } = judge(outcome, observation, comparison)
    if (verdict === 'infrastructure_error') return { verdict, evidence: { input, ...evidence } }
    if (verdict !== 'passed') failed ??= { verdict, evidence: { input, ...evidence } }
  }
  return failed ?? { verdict: 'passed', evidence: { differences: [] } }
}

function steadyError(
  { name, message, line, status }: CapturedError,
  { world }: Observation,
): NonNullable<Evidence['error']> {
  const labels = runLabels(world)
  return {
    name: evidenceText(name, labels),
    message: evidenceText(message, labels),
    ...(line === undefined ? {} : { line }),
    ...(status === undefined ? {} : { status }),
  }
}
