/** The verdict of an observation that follows from its ending alone. */
import type { Observation } from '@stateeval/contracts'
import type { CodeVerdict } from './code-verdicts.ts'

/**
 * The verdict of an ending, with what it rests on; `compare` where the run ended with a RESULT and decides
 * nothing yet.
 */
type EndingVerdict =
  | { verdict: Exclude<CodeVerdict, 'passed'>; says: string }
  | { verdict: 'compare'; result: unknown }

export function judgeEnding({ ending, world, faults }: Observation): EndingVerdict {
  if (faults.length > 0)
    return { verdict: 'infrastructure_error', says: 'the world or its channel failed during the run' }
  switch (ending.status) {
    case 'completed':
      if (world === null)
        return { verdict: 'infrastructure_error', says: 'the world could not be observed after the run' }
      return { verdict: 'compare', result: ending.result }
    case 'no_result':
      return { verdict: 'result_error', says: `there is no RESULT to compare: ${ending.reason}` }
    case 'threw':
      return { verdict: 'execution_error', says: 'the code threw an error' }
    case 'timeout':
      return {
        verdict: 'timeout',
        says:
          ending.limit === 'cpu' ? 'the code used up its CPU time' : 'the code did not end within its time',
      }
    case 'killed':
      return judgeKill(ending.by)
    case 'refused':
      return ending.reason === 'syntax'
        ? { verdict: 'syntax_error', says: 'the code is not a valid program' }
        : { verdict: 'no_code', says: 'there is no code in the answer' }
    case 'infrastructure':
      return { verdict: 'infrastructure_error', says: ending.reason }
  }
}

type KillReason = Extract<Observation['ending'], { status: 'killed' }>['by']
function judgeKill(by: KillReason): EndingVerdict {
  switch (by) {
    case 'memory':
      return { verdict: 'resource_limit', says: 'the code used more memory than it may' }
    case 'output':
      return { verdict: 'resource_limit', says: 'the code printed more than it may' }
    case 'result':
      return { verdict: 'resource_limit', says: 'RESULT is larger than it may be' }
    case 'processes':
      return { verdict: 'resource_limit', says: 'the code started more processes than it may' }
    case 'requests':
      return { verdict: 'resource_limit', says: 'the code sent more requests than it may' }
    case 'crash':
      return { verdict: 'execution_error', says: 'the process ended before the code did' }
  }
}
