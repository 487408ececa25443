/** The score of one candidate: each policy's verdict, counts and explanation, side by side. */
import type { Candidate, ValueDifference, Score } from '@stateeval/contracts'
import { listAttempts } from '@stateeval/program'
import type { WapiiCase } from './case.ts'
import { explain } from './explain.ts'
import { count, computeRatios, type SampleVerdict } from './judge/count.ts'
import { type JudgedOutcome, findPublishedOutcome, findSoundOutcome } from './judge/judge.ts'
import { judgeErrorVerdict } from './judge/published.ts'
import { describeNothing, policies, type WapiiPolicy } from './readings.ts'
import type { EndpointsOf } from './specification/cache.ts'

type WapiiJudgement = NonNullable<Score['policies']>[string]

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
    const fault = findRunFailure(candidate)
    if (fault !== undefined) return createUnscoredScore(fault)
    const judgements = Object.fromEntries(
      policies.map((one) => [one, judgeWapiiPolicy(one, c, candidate, endpointsOf)]),
    ) as Record<WapiiPolicy, WapiiJudgement>
    const { passed, verdict, metrics, differences } = judgements[policy as WapiiPolicy]
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

function judgeWapiiPolicy(
  policy: WapiiPolicy,
  c: WapiiCase,
  candidate: Candidate,
  endpointsOf: EndpointsOf,
): WapiiJudgement {
  const endpoints = endpointsOf(c)
  const { config } = c.task
  const attempt = listAttempts(candidate, policy).at(-1)
  const observation = attempt?.observations?.[0]
  let outcome: JudgedOutcome
  if (observation) {
    outcome =
      policy === 'published'
        ? findPublishedOutcome(config, observation, attempt?.code ?? '', endpoints)
        : findSoundOutcome(config, observation, endpoints)
  } else {
    const { error, says } =
      attempt?.none === undefined
        ? { error: 'ABSENT_REQUEST' as const, says: 'nothing was run' }
        : describeNothing(attempt.none)
    outcome = { judged: judgeErrorVerdict(error, says, config, endpoints) }
  }
  if (outcome === 'vanished')
    return createWapiiJudgement('vanished', {}, [
      {
        where: 'answer',
        says: 'the program ended without a request; the published evaluator then counts the sample nowhere',
      },
    ])
  const totals = count(outcome.judged)
  const differences = explain(outcome.judged)
  if (outcome.note) differences.push({ where: 'answer', says: outcome.note })
  return createWapiiJudgement(totals.verdict, { ...totals.counts, ...computeRatios(totals) }, differences)
}

const createWapiiJudgement = (
  verdict: SampleVerdict,
  metrics: Record<string, number>,
  differences: ValueDifference[],
): WapiiJudgement => ({
  passed: verdict === 'correct',
  verdict,
  metrics,
  differences,
})

/** Finds the failure of a run on our side. */
function findRunFailure({ runs }: Candidate): string | undefined {
  for (const { ending, faults } of runs.flatMap(({ observations }) => observations)) {
    if (ending.status === 'infrastructure') return ending.reason
    if (faults.length > 0) return faults[0]
  }
  return undefined
}

const createUnscoredScore = (says: string): Score => ({
  passed: false,
  verdict: 'infrastructure_error',
  metrics: { pass: null },
  evidence: { differences: [{ where: 'answer', says }] },
})
