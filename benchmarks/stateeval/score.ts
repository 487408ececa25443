/** The score of one candidate: every input's RESULT and final state against the oracle's. */
import type { Candidate, Case, ScoreEvidence, Observation, PairedRun, Score } from '@stateeval/contracts'
import {
  type ProgramAttempt,
  listAttempts,
  type BenchmarkHost,
  documentProgramApis,
  type PairedProgram,
  type Scenario,
} from '@stateeval/program'
import { pairOutcomes, judgeEnding, type InputJudgement, judgeInputs } from '@stateeval/score'
import { createNeverRun } from './episode.ts'
import { explainBeside, listDocumentedEndpoints, listExpectedPaths } from './expected-calls.ts'
import { getApiKind } from './prompt/rules.ts'
import { alignSteps } from './root-cause/align.ts'
import { readObservedCalls } from './root-cause/observed.ts'
import { pairCalls } from './root-cause/paired-calls.ts'
import { alignWrittenCalls, replayWrittenCalls } from './root-cause/replayed.ts'
import { findRootCause } from './root-cause/root-cause.ts'
import { scoreTools } from './tools/index.ts'

export const makeScore =
  (host: BenchmarkHost) =>
  ({ case: c, candidate }: { case: Case; candidate: Candidate }): Score => {
    if (candidate.said.kind === 'dialogue') return scoreTools(host, c, candidate)
    const scenario = host.scenario(c.scenario)
    const comparison = scenario.compareFor?.(c.program) ?? scenario.compare
    const attempts = listAttempts(candidate).map((attempt) => withRun(c, attempt))
    const last = attempts.at(-1) ?? noAttempt
    const judgement = judgeAttempt(c, last, comparison)
    const { verdict } = judgement
    const passed = verdict === 'passed'
    const pass = verdict === 'infrastructure_error' ? null : passed ? 1 : 0
    const evidence = withCause(judgement, c, last, scenario)
    if (attempts.length < 2) return { passed, verdict, metrics: { pass }, evidence }
    const verdicts = [
      ...attempts.slice(0, -1).map((attempt) => judgeAttempt(c, attempt, comparison).verdict),
      verdict,
    ].map((one) => ({
      passed: one === 'passed',
      verdict: one,
    }))
    return {
      passed,
      verdict,
      metrics: {
        pass,
        first_pass: pass === null ? null : verdicts[0]?.passed ? 1 : 0,
        attempts: verdicts.length,
      },
      evidence,
      attempts: verdicts,
    }
  }

/** Pairs each run with its oracle; null where it left no world. */
export const makePaired =
  (host: BenchmarkHost) =>
  (
    c: Case,
    observations: readonly Observation[],
    { first = 0, code }: PairedProgram = {},
  ): (PairedRun | null)[] => {
    const scenario = host.scenario(c.scenario)
    const comparison = scenario.compareFor?.(c.program) ?? scenario.compare
    return observations.map((observation, n) => {
      const input = first + n
      const [oracle, ending, { world }] = [c.oracles[input], judgeEnding(observation), observation]
      if (!oracle || !world) return null
      const paired = pairAttemptCalls(c, input, scenario, observation, code)
      const calls = paired ? { calls: paired } : {}
      if (ending.verdict === 'compare')
        return { ...pairOutcomes(oracle, { result: ending.result, world }, comparison), ...calls }
      // The run's effects on the world before its end are worth a look, too.
      const { parts } = pairOutcomes(oracle, { result: oracle.result, world }, comparison)
      return { parts: parts.filter(({ where }) => where !== 'RESULT'), ...calls }
    })
  }

/** Null where neither the world's log nor the text of the program tells the calls. */
function pairAttemptCalls(
  c: Case,
  input: number,
  scenario: Scenario,
  observation: Observation,
  code: string | undefined,
): NonNullable<PairedRun['calls']> | null {
  const [expected] = listExpectedPaths(c, input, scenario)
  if (!expected) return null
  if (getApiKind(scenario) === 'function') {
    const replayed = code === undefined ? null : replayWrittenCalls(code, c, input, scenario, expected)
    return replayed && pairCalls(alignWrittenCalls(replayed))
  }
  const endpoints = listDocumentedEndpoints(c, documentProgramApis(c.program, scenario, 'javascript'))
  const { expectedCalls } = expected
  return pairCalls(alignSteps(expectedCalls, readObservedCalls(observation, endpoints, expectedCalls)).steps)
}

/** Code that was refused before any run counts as one that did not run on any input. */
const withRun = (c: Case, attempt: ProgramAttempt): ProgramAttempt =>
  attempt.code === null || attempt.observations !== null
    ? attempt
    : {
        ...attempt,
        observations: c.oracles.map(() => createNeverRun(attempt.none ?? 'the code was not run')),
      }

/** The attempt of a dialogue that ended before its first answer. */
const noAttempt: ProgramAttempt = { answer: '', code: null, observations: null }

function withCause(
  { verdict, evidence }: InputJudgement,
  c: Case,
  attempt: ProgramAttempt,
  scenario: Scenario,
): ScoreEvidence {
  // They have none, and what the reference does would be computed for nothing.
  if (verdict === 'passed' || verdict === 'infrastructure_error') return evidence
  const input = evidence.input ?? 0
  const observation = attempt.observations?.[input]
  const unlogged = getApiKind(scenario) === 'function'
  const endpoints = listDocumentedEndpoints(c, documentProgramApis(c.program, scenario, 'javascript'))
  const cause = explainBeside(listExpectedPaths(c, input, scenario), (expected) => {
    const replayed =
      unlogged && verdict === 'result_error' && attempt.code !== null
        ? replayWrittenCalls(attempt.code, c, input, scenario, expected)
        : null
    return findRootCause({
      verdict,
      evidence,
      ...(observation ? { observation } : {}),
      ...(attempt.code === null ? {} : { code: attempt.code }),
      ...expected,
      ...replayed,
      endpoints,
      unlogged,
    })
  })
  return cause ? { ...evidence, rootCause: cause } : evidence
}

function judgeAttempt(
  c: Case,
  attempt: ProgramAttempt,
  comparison: Parameters<typeof judgeInputs>[2],
): InputJudgement {
  const only = (verdict: InputJudgement['verdict'], says: string): InputJudgement => ({
    verdict,
    evidence: { differences: [{ where: 'answer', says }] },
  })
  if (attempt.code === null)
    return only('no_code', `there is no code in the answer${attempt.none ? `: ${attempt.none}` : ''}`)
  return judgeInputs(c.oracles, attempt.observations ?? [], comparison)
}
