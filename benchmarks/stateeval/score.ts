/** The score of one candidate: every input's RESULT and final state against the oracle's. */
import type { Attempt, Candidate, Case, Evidence, Score } from '@stateeval/contracts'
import type { BenchmarkHost, Scenario } from '@stateeval/program'
import { evidenceText, type Judgement, judgeAll, rootCause, runLabels } from '@stateeval/score'
import { endpointsOf, expectedOn } from './expected-calls.ts'
import { kindOf } from './prompt/rules.ts'

export const makeScore =
  (host: BenchmarkHost) =>
  ({ case: c, candidate }: { case: Case; candidate: Candidate }): Score => {
    const scenario = host.scenario(c.scenario)
    const comparison = scenario.compareFor?.(c.program) ?? scenario.compare
    const judgement = judged(c, candidate, comparison)
    const { verdict } = judgement
    const passed = verdict === 'passed'
    const pass = verdict === 'infrastructure_error' ? null : passed ? 1 : 0
    const { earlier = [] } = candidate
    if (earlier.length === 0) return { passed, verdict, metrics: { pass }, evidence: withCause(judgement, c, candidate, scenario) }
    const attempts = [...earlier.map((attempt) => judged(c, attempt, comparison).verdict), verdict].map((one) => ({
      passed: one === 'passed',
      verdict: one,
    }))
    return {
      passed,
      verdict,
      metrics: { pass, first_pass: pass === null ? null : attempts[0]?.passed ? 1 : 0, attempts: attempts.length },
      evidence: withCause(judgement, c, candidate, scenario),
      attempts,
    }
  }

function withCause({ verdict, evidence }: Judgement, c: Case, candidate: Candidate, scenario: Scenario): Evidence {
  const input = evidence.input ?? 0
  const observation = candidate.observations[input]
  const cause = rootCause({
    verdict,
    evidence,
    ...(observation ? { observation } : {}),
    ...(candidate.code === null ? {} : { code: candidate.code }),
    ...expectedOn(c, input, scenario),
    endpoints: endpointsOf(c, scenario.documentation('javascript')),
    unlogged: kindOf(scenario) === 'function',
  })
  return cause ? { ...evidence, rootCause: cause } : evidence
}

function judged(c: Case, attempt: Attempt & { unavailable?: string }, comparison: Parameters<typeof judgeAll>[2]): Judgement {
  const only = (verdict: Judgement['verdict'], says: string): Judgement => ({
    verdict,
    evidence: { differences: [{ where: 'answer', says }] },
  })
  if (attempt.unavailable !== undefined) return only('infrastructure_error', evidenceText(attempt.unavailable, runLabels(null)))
  if (attempt.code === null) return only('no_code', `there is no code in the answer${attempt.noCode ? `: ${attempt.noCode}` : ''}`)
  return judgeAll(c.oracles, attempt.observations, comparison)
}
