/**
 * The score of one candidate: each policy's verdict with what differs, side by side. A case passes if all of
 * its tests do.
 */
import type { Candidate, ValueDifference, Score } from '@stateeval/contracts'
import { listAttempts, resolveTensors, type BenchmarkHost } from '@stateeval/program'
import type { PublishedCase } from './case.ts'
import { type JudgedTest, judgeTest, failWithoutCode, type PublishedVerdict } from './compare/judge.ts'
import { policies, type PublishedPolicy } from './readings.ts'

type PublishedJudgement = NonNullable<Score['policies']>[string]

const createUnscored = (says: string): Score => ({
  passed: false,
  verdict: 'infrastructure_error',
  metrics: { pass: null },
  evidence: { differences: [{ where: 'answer', says }] },
})

export const makeScore =
  (host: BenchmarkHost) =>
  ({
    case: c,
    candidate,
    policy = policies[0],
  }: {
    case: PublishedCase
    candidate: Candidate
    policy?: string
  }): Score => {
    const resolved = resolveTensors(c.task.tests, (hash) => host.artifact?.(hash))
    if (!resolved.ok) return createUnscored(resolved.says)
    const whole = { ...c, task: { ...c.task, tests: resolved.value } }
    const judged = policies.map((one) => [one, judgeTests(one, whole, candidate)] as const)
    const fault = judged.flatMap(([, all]) =>
      all.filter(({ verdict }) => verdict === 'infrastructure_error'),
    )[0]
    if (fault) return createUnscored(fault.findings[0]?.says ?? 'the run failed')
    const judgements = Object.fromEntries(
      judged.map(([one, all]) => [one, judgeByPolicy(one, whole, all)]),
    ) as Record<PublishedPolicy, PublishedJudgement>
    const { passed, verdict, differences } = judgements[policy as PublishedPolicy]
    const [published, sound] = policies.map((one) => judgements[one])
    return {
      passed,
      verdict,
      metrics: { pass: passed ? 1 : 0, disagree: published!.verdict === sound!.verdict ? 0 : 1 },
      evidence: { differences },
      policies: judgements,
    }
  }

/** Each test under one policy, as far as it was run. */
function judgeTests(
  policy: PublishedPolicy,
  { task: { scenario, tests } }: PublishedCase,
  candidate: Candidate,
): JudgedTest[] {
  const attempt = listAttempts(candidate, policy).at(-1)
  const { observations = null, none = 'nothing was run' } = attempt ?? {}
  if (!observations) return [failWithoutCode(none)]
  return tests.map((test, n) => {
    const observation = observations[n]
    return observation
      ? judgeTest(policy, scenario, test, observation)
      : failWithoutCode('the program was not run')
  })
}

function judgeByPolicy(
  policy: PublishedPolicy,
  { task: { accepted } }: PublishedCase,
  all: readonly JudgedTest[],
): PublishedJudgement {
  const first = all.find(({ verdict }) => verdict !== 'passed')
  const rejected = policy === 'sound' && !accepted
  const verdict: PublishedVerdict = rejected ? 'rejected_case' : (first?.verdict ?? 'passed')
  const metric = (of: 'result' | 'state') => (all.every((one) => one[of] === true) ? 1 : 0)
  return {
    passed: verdict === 'passed',
    verdict,
    metrics: { result: metric('result'), state: metric('state') },
    differences: [
      ...(rejected
        ? [
            {
              where: 'case',
              says: 'the last judgement of its instruction is not <OK>, so no answer to it counts',
            },
          ]
        : []),
      ...all.flatMap(({ findings }, n) =>
        findings.map(({ where, says }): ValueDifference => ({
          where,
          says: n === 0 ? says : `on the other constants, ${says}`,
        })),
      ),
    ],
  }
}
