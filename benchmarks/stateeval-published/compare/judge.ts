/** One test of a case under one policy: how the run ended, RESULT, state. */
import type { Observation } from '@stateeval/contracts'
import { callsOf, type ScenarioName, type Session, sessionsOf, type Test } from '../case.ts'
import type { Policy } from '../readings.ts'
import { endedOf, type Value } from '../run/report.ts'
import type { Compared } from './judgement.ts'
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
export type Verdict = (typeof verdicts)[number]

interface Finding {
  where: 'answer' | 'RESULT' | 'state'
  says: string
}
export interface Judged {
  verdict: Verdict
  findings: Finding[]
  /** True if RESULT, and state, are the truth's; null where the program did not come to its end. */
  result: boolean | null
  state: boolean | null
}

const failed = (verdict: Verdict, says: string): Judged => ({
  verdict,
  findings: [{ where: 'answer', says }],
  result: null,
  state: null,
})
/** Nothing in the answer can run. The released evaluator counts that as a syntax error. */
export const noCode = (says: string): Judged => failed('syntax_error', says)

export function judge(policy: Policy, scenario: ScenarioName, test: Test, observation: Observation): Judged {
  const ended = endedOf(observation)
  if ('fault' in ended) return failed('infrastructure_error', ended.fault)
  if (ended.status === 'syntax') return failed('syntax_error', ended.says)
  if (ended.status === 'threw') {
    // The released evaluator looks for the word in the traceback.
    const isSyntax = policy === 'published' && ended.says.includes('SyntaxError')
    return failed(isSyntax ? 'syntax_error' : 'execution_error', ended.says)
  }
  if (ended.status === 'limit') return failed(ended.timeout ? 'timeout' : 'execution_error', ended.says)
  if (ended.status === 'exit' && policy === 'published')
    return failed(
      'execution_error',
      'SystemExit: it ends the released evaluator itself, before anything is compared',
    )
  const result = resultOf(policy, scenario, test, ended.result)
  const state = stateOf(policy, scenario, test, observation, ended.calls)
  const findings = [
    ...(result.same ? [] : [{ where: 'RESULT' as const, says: result.says }]),
    ...(state.same ? [] : [{ where: 'state' as const, says: state.says }]),
  ]
  return { verdict: verdictOf(result, state), findings, result: result.same, state: state.same }
}

function verdictOf(result: Compared, state: Compared): Verdict {
  if (!result.same && 'raises' in result)
    return result.raises === 'evaluator' ? 'syntax_error' : 'execution_error'
  return result.same && state.same ? 'passed' : 'result_error'
}

function resultOf(policy: Policy, scenario: ScenarioName, test: Test, value: Value | undefined): Compared {
  const sound = policy === 'sound'
  switch (scenario) {
    case 'session':
      return sound ? session.soundResult(test.result, value) : session.publishedResult(test.result, value)
    case 'tensor':
      return sound
        ? tensor.soundResult(test.result, value, onlySums(test.program))
        : tensor.publishedResult(test.result, value)
    case 'voice':
      return sound ? voice.soundResult(test.result, value) : voice.publishedResult(test.result, value)
  }
}

function stateOf(
  policy: Policy,
  scenario: ScenarioName,
  test: Test,
  { world }: Observation,
  calls: readonly [Value, Value][],
): Compared {
  switch (scenario) {
    case 'session': {
      const { items = [] } = (world?.state ?? {}) as { items?: Session[] }
      return (policy === 'sound' ? session.soundState : session.publishedState)(sessionsOf(test), items)
    }
    case 'tensor':
      return { same: true }
    case 'voice':
      return voice.state(callsOf(test), calls)
  }
}

/** Tells whether every RESULT of a reference is a sum. */
function onlySums(program: string): boolean {
  const lines = program.split('\n').filter((line) => line.trim().startsWith('RESULT = '))
  return lines.length > 0 && lines.every((line) => line.includes('.sum()'))
}
