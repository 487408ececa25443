/** The score of one candidate: every input's RESULT and final state against the oracle's. */
import type { Candidate, Case, Evidence, Score } from '@stateeval/contracts'
import type { BenchmarkHost } from '@stateeval/program'
import { evidenceText, type Judgement, judgeAll, rootCause, runLabels } from '@stateeval/score'
import { endpointsOf, expectedOn } from './expected-calls.ts'

export const makeScore =
  (host: BenchmarkHost) =>
  ({ case: c, candidate }: { case: Case; candidate: Candidate }): Score => {
    const scenario = host.scenario(c.scenario)
    const { verdict, evidence } = judged(c, candidate, scenario.compare)
    const input = evidence.input ?? 0
    const observation = candidate.observations[input]
    const cause = rootCause({
      verdict,
      evidence,
      ...(observation ? { observation } : {}),
      ...expectedOn(c, input, scenario),
      endpoints: endpointsOf(c, scenario.documentation('javascript')),
    })
    const passed = verdict === 'passed'
    const whole: Evidence = cause ? { ...evidence, rootCause: cause } : evidence
    return { passed, verdict, metrics: { pass: verdict === 'infrastructure_error' ? null : passed ? 1 : 0 }, evidence: whole }
  }

function judged(c: Case, candidate: Candidate, comparison: Parameters<typeof judgeAll>[2]): Judgement {
  const only = (verdict: Judgement['verdict'], says: string): Judgement => ({
    verdict,
    evidence: { differences: [{ where: 'answer', says }] },
  })
  if (candidate.unavailable !== undefined) return only('infrastructure_error', evidenceText(candidate.unavailable, runLabels(null)))
  if (candidate.code === null) return only('no_code', 'there is no code in the answer')
  return judgeAll(c.oracles, candidate.observations, comparison)
}
