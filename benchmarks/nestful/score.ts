/** The score of one answer: each policy's verdict, measures and reasons, side by side. */
import type { Candidate, Score } from '@stateeval/contracts'
import type { BenchmarkHost } from '@stateeval/program'
import { type ApisOf, loadPythonSources, runTools } from './apis.ts'
import type { NestfulCase } from './case.ts'
import { measureDepth } from './depth.ts'
import { ofReference } from './functions/python-program.ts'
import { runFunctions } from './functions/run.ts'
import type { AnswerError, ErrorContext } from './judge/errors.ts'
import { judgePublished, judgeSound } from './judge/judgements.ts'
import { type RunEnd, readRunEnd, findRunFault, isLive } from './outcome.ts'
import { policies, type NestfulPolicy, readingsOf } from './readings.ts'

export const makeScore =
  (apisOf: ApisOf, host: BenchmarkHost) =>
  ({
    case: c,
    candidate,
    policy = policies[0],
  }: {
    case: NestfulCase
    candidate: Candidate
    policy?: string
  }): Score => {
    const fault = findRunFault(candidate)
    if (fault !== undefined) return createNotScored(fault)
    const { said } = candidate
    const readings = said.kind === 'dialogue' ? [] : (said.attempts.at(-1)?.readings ?? [])
    const reading = (name: string) => readings.find((one) => one.policy === name)
    const ended = (name: string) => readRunEnd(candidate, reading(name), c.task.form)
    const running = {
      isLive: isLive(readings),
      runs: (rules: NestfulPolicy) =>
        canRunReferences(c, rules, loadPythonSources(host, c) ? ended(runOf[rules]) : undefined, apisOf),
    }
    const judgements = {
      published: judgePublished(c, reading(readingsOf.published), ended(readingsOf.run), running),
      sound: judgeSound(
        c,
        reading(readingsOf.sound),
        ended(readingsOf.sound),
        { ...buildErrorContext(c, apisOf), running },
        host,
      ),
    }
    // A fresh case is decided by the world, as a program that answers it is.
    const deciding = c.task.truth ? 'sound' : (policy as NestfulPolicy)
    const { passed, verdict, metrics, differences, errors } = judgements[deciding]
    // Error types are the sound reading's, whoever’s verdict counts: the published policy knows none.
    const first = errors[0] ?? judgements.sound.errors[0]
    return {
      passed,
      verdict,
      reward: passed ? 1 : Math.min(0.99, metrics['partial'] ?? 0),
      metrics: {
        pass: passed ? 1 : 0,
        partial: metrics['partial'] ?? 0,
        full: metrics['full'] ?? 0,
        win: metrics['win'] ?? null,
        pass_mock: metrics['pass_mock'] ?? null,
        pass_live: metrics['pass_live'] ?? null,
        graph_full: judgements.sound.metrics['graph_full'] ?? 0,
        depth: measureDepth(c.task.calls),
        disagree: judgements.published.verdict === judgements.sound.verdict ? 0 : 1,
      },
      evidence: {
        differences,
        ...(!passed && first && { rootCause: getErrorCause(first) }),
      },
      policies: Object.fromEntries(
        Object.entries(judgements).map(([name, { errors: _, ...one }]) => [name, one]),
      ),
    }
  }

/** Tells whether the gold calls of a case can be run here, by the rules: the same for all its samples. */
const goldRuns = new WeakMap<NestfulCase, Map<NestfulPolicy, boolean>>()

/** The reading whose run decides under each policy. */
const runOf = { published: readingsOf.run, sound: readingsOf.sound } as const

/**
 * Tells whether the gold calls of a case can be run. The functions of this folder can; with published Python
 * sources, the run of the answer reports where they cannot (`buildPythonProgram`).
 *
 * @param withSources how the answer ended, where there are Python sources.
 */
function canRunReferences(
  c: NestfulCase,
  rules: NestfulPolicy,
  withSources: RunEnd | undefined,
  apisOf: ApisOf,
): boolean {
  if (withSources !== undefined) {
    const outcome = withSources && 'outcome' in withSources ? withSources.outcome : null
    return !(outcome?.outcome === 'unavailable' && outcome.says.startsWith(ofReference))
  }
  const known = goldRuns.get(c) ?? new Map<NestfulPolicy, boolean>()
  goldRuns.set(c, known)
  const before = known.get(rules)
  if (before !== undefined) return before
  const runs = runFunctions(c.task.calls, runTools(apisOf(c).apis), rules).outcome !== 'unavailable'
  known.set(rules, runs)
  return runs
}

const getErrorCause = ({ type, api, argument, says }: AnswerError) => ({
  cause: type,
  because: says,
  ...(api !== undefined && { api }),
  ...(argument !== undefined && { argument }),
})

function buildErrorContext(c: NestfulCase, apisOf: ApisOf): ErrorContext {
  const { apis } = apisOf(c)
  return {
    instruction: c.instruction,
    isApi: (name) => apis.has(name) || c.task.calls.some((call) => call.name === name),
    isRequired: (api, parameter) => apis.get(api)?.parameters[parameter]?.required === true,
  }
}

const createNotScored = (says: string): Score => ({
  passed: false,
  verdict: 'infrastructure_error',
  metrics: { pass: null },
  evidence: { differences: [{ where: 'run', says }] },
})
