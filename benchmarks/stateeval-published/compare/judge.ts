/** One test of a case under one policy: how the run ended, RESULT, state. */
import type { Observation } from '@stateeval/contracts'
import {
  getTruthCalls,
  type ScenarioName,
  type CaseSession,
  getTruthSessions,
  type ProgramTest,
} from '../case.ts'
import type { PublishedPolicy } from '../readings.ts'
import { readReportedEnd, type ReportedValue } from '../run/report.ts'
import type { ValueComparison } from './judgement.ts'
import * as session from './session.ts'
import * as tensor from './tensor.ts'
import * as voice from './voice.ts'

export const verdicts = [
  'passed',
  'syntax_error',
  'execution_error',
  'result_error',
  'timeout',
  'rejected_case',
  'infrastructure_error',
] as const
export type PublishedVerdict = (typeof verdicts)[number]

interface JudgeFinding {
  where: 'answer' | 'RESULT' | 'state'
  says: string
}
export interface JudgedTest {
  verdict: PublishedVerdict
  findings: JudgeFinding[]
  /** True if RESULT, or the state, equals the truth's; null where the program did not end normally. */
  result: boolean | null
  state: boolean | null
}

const failTest = (verdict: PublishedVerdict, says: string): JudgedTest => ({
  verdict,
  findings: [{ where: 'answer', says }],
  result: null,
  state: null,
})
/** Nothing in the answer can run. The released evaluator counts that as a syntax error. */
export const failWithoutCode = (says: string): JudgedTest => failTest('syntax_error', says)

export function judgeTest(
  policy: PublishedPolicy,
  scenario: ScenarioName,
  test: ProgramTest,
  observation: Observation,
): JudgedTest {
  const ended = readReportedEnd(observation)
  if ('fault' in ended) return failTest('infrastructure_error', ended.fault)
  if (ended.status === 'syntax') return failTest('syntax_error', ended.says)
  if (ended.status === 'threw') {
    // The released evaluator looks for the word in the traceback.
    const isSyntax = policy === 'published' && ended.says.includes('SyntaxError')
    return failTest(isSyntax ? 'syntax_error' : 'execution_error', ended.says)
  }
  if (ended.status === 'limit') return failTest(ended.timeout ? 'timeout' : 'execution_error', ended.says)
  if (ended.status === 'exit' && policy === 'published')
    return failTest(
      'execution_error',
      'SystemExit: it ends the released evaluator itself, before anything is compared',
    )
  const result = compareResult(policy, scenario, test, ended.result)
  const state = compareState(policy, scenario, test, observation, ended.calls)
  const findings = [
    ...(result.same ? [] : [{ where: 'RESULT' as const, says: result.says }]),
    ...(state.same ? [] : [{ where: 'state' as const, says: state.says }]),
  ]
  return { verdict: combineVerdicts(result, state), findings, result: result.same, state: state.same }
}

function combineVerdicts(result: ValueComparison, state: ValueComparison): PublishedVerdict {
  if (!result.same && 'raises' in result)
    return result.raises === 'evaluator' ? 'syntax_error' : 'execution_error'
  return result.same && state.same ? 'passed' : 'result_error'
}

function compareResult(
  policy: PublishedPolicy,
  scenario: ScenarioName,
  test: ProgramTest,
  value: ReportedValue | undefined,
): ValueComparison {
  const sound = policy === 'sound'
  switch (scenario) {
    case 'session':
      return sound
        ? session.compareSessionSound(test.result, value)
        : session.compareSessionPublished(test.result, value)
    case 'tensor':
      return sound
        ? tensor.compareTensorSound(test.result, value, isOnlySums(test.program))
        : tensor.compareTensorPublished(test.result, value)
    case 'voice':
      return sound
        ? voice.compareVoiceSound(test.result, value)
        : voice.compareVoicePublished(test.result, value)
  }
}

function compareState(
  policy: PublishedPolicy,
  scenario: ScenarioName,
  test: ProgramTest,
  { world }: Observation,
  calls: readonly [ReportedValue, ReportedValue][],
): ValueComparison {
  switch (scenario) {
    case 'session': {
      const { items = [] } = (world?.state ?? {}) as { items?: CaseSession[] }
      return (policy === 'sound' ? session.compareStateSound : session.compareStatePublished)(
        getTruthSessions(test),
        items,
      )
    }
    case 'tensor':
      return { same: true }
    case 'voice':
      return voice.compareCalls(getTruthCalls(test), calls)
  }
}

/** Tells whether every RESULT of a reference is a sum. */
function isOnlySums(program: string): boolean {
  const lines = program.split('\n').filter((line) => line.trim().startsWith('RESULT = '))
  return lines.length > 0 && lines.every((line) => line.includes('.sum()'))
}
