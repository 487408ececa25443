/**
 * The score of a dialogue: every input's RESULT and world against the oracle's, as those of programs; beside
 * the verdict, how much of the way was gone.
 */
import type {
  Candidate,
  Case,
  ValueDifference,
  ScoreEvidence,
  LoggedRequest,
  Observation,
  Oracle,
  Score,
  Transcript,
  WorldState,
} from '@stateeval/contracts'
import { isRecord } from '@stateeval/contracts'
import {
  type BenchmarkHost,
  type ComparisonRules,
  documentProgramApis,
  type Scenario,
} from '@stateeval/program'
import { compare, type InputJudgement, judgeInputs } from '@stateeval/score'
import { explainBeside, listDocumentedEndpoints, listExpectedPaths } from '../expected-calls.ts'
import { getApiKind } from '../prompt/rules.ts'
import { findRootCause } from '../root-cause/root-cause.ts'
import { type ToolCourse, buildCourse } from './course.ts'
import type { ToolDecision } from './episode.ts'
import { gradeChanges } from './graded/changes.ts'
import { type ComparedCalls, compareCalls } from './graded/calls.ts'
import { resultTool } from './result-tool.ts'

/** One input as it was played. */
interface PlayedInputScore {
  oracle: Oracle
  course: ToolCourse
  transcript: Transcript
  observation: Observation | undefined
}

export function scoreTools(host: BenchmarkHost, c: Case, candidate: Candidate): Score {
  const scenario = host.scenario(c.scenario)
  const comparison = scenario.compareFor?.(c.program) ?? scenario.compare
  const played = listPlayedTranscripts(c, candidate)
  const judgement = judgeInputs(
    played.map(({ oracle }) => oracle),
    played.flatMap(({ observation }) => observation ?? []),
    comparison,
  )
  if (played.length === 0)
    return {
      passed: false,
      verdict: 'no_result',
      metrics: { pass: 0 },
      evidence: { differences: [{ where: 'run', says: 'the dialogue never began' }] },
    }
  if (judgement.verdict === 'infrastructure_error')
    return {
      passed: false,
      verdict: 'infrastructure_error',
      metrics: { pass: null },
      evidence: judgement.evidence,
    }
  const passed = judgement.verdict === 'passed'
  const failed = passed ? undefined : played[judgement.evidence.input ?? 0]
  const calls = played.map((one) => compareInputCalls(c, one, scenario))
  const verdict = failed ? getInputVerdict(judgement, failed) : 'passed'
  return {
    passed,
    verdict,
    metrics: {
      pass: passed ? 1 : 0,
      ...gradePlayed(played, calls, scenario, comparison, passed),
      ...measureToolEffort(played),
    },
    evidence: failed
      ? buildToolEvidence(c, judgement, failed, calls[played.indexOf(failed)]!, scenario)
      : judgement.evidence,
  }
}

function listPlayedTranscripts(c: Case, { said, transcripts, runs }: Candidate): PlayedInputScore[] {
  if (said.kind !== 'dialogue') throw new TypeError(`tools are called in a dialogue, not in ${said.kind}`)
  return said.inputs.flatMap(({ transcript: at, run }, n) => {
    const transcript = transcripts[at]
    const observation = run === null ? undefined : runs[run]?.observations[0]
    const decision = (said.decisions[n] ?? {}) as ToolDecision
    const input = transcript?.input ?? n
    const oracle = c.oracles[input]
    if (!transcript || !oracle) return []
    return [
      { oracle, course: buildCourse(input, transcript, observation, decision), transcript, observation },
    ]
  })
}

const compareInputCalls = (
  c: Case,
  { course, transcript, observation }: PlayedInputScore,
  scenario: Scenario,
) => compareCalls(c, course.input, scenario, transcript, observation?.world ?? null)

function getInputVerdict({ verdict }: InputJudgement, { course, observation }: PlayedInputScore): string {
  if (observation?.ending.status === 'timeout') return 'timeout'
  if (course.ended === 'limit') return 'resource_limit'
  return course.ended === 'silent' && verdict === 'result_error' ? 'no_result' : verdict
}

/** Null where there is nothing to share in. */
const divideOrNull = (part: number, whole: number) => (whole === 0 ? null : part / whole)

function gradePlayed(
  played: readonly PlayedInputScore[],
  calls: readonly ComparedCalls[],
  scenario: Scenario,
  comparison: ComparisonRules,
  passed: boolean,
): Score['metrics'] {
  const sums = { expected: 0, made: 0, unexpected: 0, keys: 0, right: 0, milestones: 0, reached: 0 }
  for (const [at, { oracle, observation }] of played.entries()) {
    const before = scenario.observe(scenario.open(oracle.input.world as never))
    const changes = gradeChanges(before, oracle.world, observation?.world ?? before)
    sums.expected += changes.expected
    sums.made += changes.made
    sums.unexpected += changes.unexpected
    const keys = listKeys(oracle.result)
    sums.keys += keys.length
    sums.right += passed ? keys.length : countRightKeys(keys, oracle, observation, comparison)
    const { expected, reached } = calls[at]!
    sums.milestones += expected.length
    // A passed dialogue has had every effect, in whatever way.
    sums.reached += passed ? expected.length : reached
  }
  return {
    state_changes: divideOrNull(passed ? sums.expected : sums.made, sums.expected),
    unexpected_changes: passed ? 0 : sums.unexpected,
    result_keys: divideOrNull(sums.right, sums.keys),
    milestones: divideOrNull(sums.reached, sums.milestones),
  }
}

const listKeys = (result: unknown) => (isRecord(result) ? Object.keys(result) : [])

/** Keys that hold what they should, each looked at by itself. */
function countRightKeys(
  keys: readonly string[],
  { result, world }: Oracle,
  observation: Observation | undefined,
  comparison: ComparisonRules,
): number {
  const ending = observation?.ending
  if (ending?.status !== 'completed' || !isRecord(ending.result) || !observation?.world) return 0
  const found = ending.result
  const stateless = ({ ids }: WorldState): WorldState => ({ state: {}, ids, gone: [] })
  const [ours, theirs] = [stateless(world), stateless(observation.world)]
  const plain = { ...comparison, unordered: [] }
  return keys.filter(
    (key) =>
      Object.hasOwn(found, key) &&
      compare(
        { result: { [key]: (result as Record<string, unknown>)[key] }, world: ours },
        { result: { [key]: found[key] }, world: theirs },
        plain,
      ).equal,
  ).length
}

function measureToolEffort(played: readonly PlayedInputScore[]): Score['metrics'] {
  const sum = (of: (course: ToolCourse) => number) =>
    played.reduce((total, { course }) => total + of(course), 0)
  return {
    replies: sum(({ replies }) => replies),
    calls: sum(({ calls }) => calls),
    wrong_calls: sum(({ wrong }) => wrong),
  }
}

function buildToolEvidence(
  c: Case,
  { verdict, evidence }: InputJudgement,
  { course, observation }: PlayedInputScore,
  calls: ComparedCalls,
  scenario: Scenario,
): ScoreEvidence {
  const { input } = course
  const why = explainUnsubmitted(course, observation)
  const differences = why
    ? [why, ...evidence.differences.filter(({ where }) => where !== 'run')]
    : evidence.differences
  const isComputed = getApiKind(scenario) === 'function'
  const endpoints = listDocumentedEndpoints(c, documentProgramApis(c.program, scenario, 'javascript'))
  const cause = explainBeside(listExpectedPaths(c, input, scenario), (expected) =>
    findRootCause({
      verdict,
      evidence: { ...evidence, differences },
      ...(observation && {
        observation: isComputed ? { ...observation, log: calls.made.map(createLoggedCall) } : observation,
      }),
      ...expected,
      ...(isComputed && {
        expectedCalls: expected.expectedCalls.map((call, at) => ({ ...call, ...addOutputTokens(calls, at) })),
        // The other branches are left out: their tensors have no tokens here.
        otherCalls: [],
      }),
      endpoints,
    }),
  )
  return { ...evidence, input, differences, ...(cause && { rootCause: cause }) }
}

const addOutputTokens = ({ expected }: ComparedCalls, at: number) => {
  const call = expected[at]
  return call ? { args: call.args, output: call.output } : {}
}

/** A call that a world does not log as it was meant. */
const createLoggedCall = ({
  api,
  args,
  output,
  isRefused,
}: ComparedCalls['made'][number]): LoggedRequest => ({
  method: 'CALL',
  path: api,
  status: isRefused ? 400 : 200,
  requestBody: JSON.stringify(args),
  responseBody: JSON.stringify(output),
})

/** Why there is no RESULT; undefined where one was submitted. */
function explainUnsubmitted(
  { ended, limit }: ToolCourse,
  observation: Observation | undefined,
): ValueDifference | undefined {
  if (ended === 'submitted') return undefined
  const says =
    observation?.ending.status === 'timeout'
      ? 'a call exceeded its time limit'
      : ended === 'limit'
        ? `the dialogue reached its limit of ${limit}`
        : 'the model stopped calling functions'
  return { where: 'run', says: `${resultTool} was not called: ${says}` }
}
