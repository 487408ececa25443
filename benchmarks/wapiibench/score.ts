/** The score of one candidate: each policy's verdict, counts and explanation, side by side. */
import type { Candidate, ValueDifference, Score } from '@stateeval/contracts'
import { attemptsOf } from '@stateeval/program'
import type { WapiiCase } from './case.ts'
import { explain } from './explain.ts'
import { count, ratiosOf, type SampleVerdict } from './judge/count.ts'
import { type JudgedOutcome, publishedOutcome, soundOutcome } from './judge/judge.ts'
import { judgedError } from './judge/published.ts'
import { noneOf, policies, type Policy } from './readings.ts'
import type { EndpointsOf } from './specification/cache.ts'

type Judgement = NonNullable<Score['policies']>[string]

export const makeScore =
  (endpointsOf: EndpointsOf) =>
  ({
    case: c,
    candidate,
    policy = policies[0],
  }: {
    case: WapiiCase
    candidate: Candidate
    policy?: string
  }): Score => {
    const fault = faultIn(candidate)
    if (fault !== undefined) return notScored(fault)
    const judgements = Object.fromEntries(
      policies.map((one) => [one, judgementOf(one, c, candidate, endpointsOf)]),
    ) as Record<Policy, Judgement>
    const { passed, verdict, metrics, differences } = judgements[policy as Policy]
    const disagree = judgements.published.verdict !== judgements.sound.verdict
    return {
      passed,
      verdict,
      metrics: {
        pass: passed ? 1 : 0,
        arguments: metrics['expected/all'] ?? 0,
        correct_arguments: metrics['correct_value/all'] ?? 0,
        disagree: disagree ? 1 : 0,
      },
      evidence: { differences },
      policies: judgements,
    }
  }

function judgementOf(
  policy: Policy,
  c: WapiiCase,
  candidate: Candidate,
  endpointsOf: EndpointsOf,
): Judgement {
  const endpoints = endpointsOf(c)
  const { config } = c.task
  const attempt = attemptsOf(candidate, policy).at(-1)
  const observation = attempt?.observations?.[0]
  let outcome: JudgedOutcome
  if (observation) {
    outcome =
      policy === 'published'
        ? publishedOutcome(config, observation, attempt?.code ?? '', endpoints)
        : soundOutcome(config, observation, endpoints)
  } else {
    const { error, says } =
      attempt?.none === undefined
        ? { error: 'ABSENT_REQUEST' as const, says: 'nothing was run' }
        : noneOf(attempt.none)
    outcome = { judged: judgedError(error, says, config, endpoints) }
  }
  if (outcome === 'vanished')
    return judgement('vanished', {}, [
      {
        where: 'answer',
        says: 'the program ended without a request; the published evaluator then counts the sample nowhere',
      },
    ])
  const totals = count(outcome.judged)
  const differences = explain(outcome.judged)
  if (outcome.note) differences.push({ where: 'answer', says: outcome.note })
  return judgement(totals.verdict, { ...totals.counts, ...ratiosOf(totals) }, differences)
}

const judgement = (
  verdict: SampleVerdict,
  metrics: Record<string, number>,
  differences: ValueDifference[],
): Judgement => ({
  passed: verdict === 'correct',
  verdict,
  metrics,
  differences,
})

/** Finds the failure of a run on our side. */
function faultIn({ runs }: Candidate): string | undefined {
  for (const { ending, faults } of runs.flatMap(({ observations }) => observations)) {
    if (ending.status === 'infrastructure') return ending.reason
    if (faults.length > 0) return faults[0]
  }
  return undefined
}

const notScored = (says: string): Score => ({
  passed: false,
  verdict: 'infrastructure_error',
  metrics: { pass: null },
  evidence: { differences: [{ where: 'answer', says }] },
})
