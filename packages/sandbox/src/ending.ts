/** Derives how a run ended from the facts about its ended jail. */
import type { ExecutionEnding, ExecutionLimits } from '@stateeval/contracts'
import type { CellEnd, IsolationLevel, RunOutcome } from '@stateeval/runtime'

/**
 * Numbers in an ending are the limits, not the measured times: the same code ends the same way on any
 * machine.
 */
export function findEnding(end: CellEnd, limits: ExecutionLimits, level: IsolationLevel): ExecutionEnding {
  // No program reaches the outermost process of its jail, which a signal ended.
  if (level !== 'unsafe-process' && isKilledByOthers(end) && end.code === null)
    return { status: 'infrastructure', reason: 'the jail was killed from outside' }
  switch (end.killed) {
    case 'wall':
      return { status: 'timeout', limit: 'wall', afterMs: limits.wallMs }
    case 'cpu':
      return { status: 'timeout', limit: 'cpu', afterMs: limits.cpuSeconds * 1000 }
    case 'frames':
      return { status: 'killed', by: 'crash', detail: 'it wrote to the runner’s channel' }
    case 'memory':
    case 'processes':
    case 'output':
    case 'requests':
      return { status: 'killed', by: end.killed }
    case 'aborted':
      return { status: 'infrastructure', reason: 'the run was aborted' }
    case undefined:
      return findUnforcedEnding(end, limits)
    default:
      return end.killed satisfies never
  }
}

/** It ended by itself: the kernel’s limits and V8’s come before what the code said. */
function findUnforcedEnding(
  { reading, code, outOfMemory }: CellEnd,
  limits: ExecutionLimits,
): ExecutionEnding {
  switch (reading.kind) {
    case 'outcome':
      return findOutcomeEnding(reading.outcome)
    case 'violation':
      return { status: 'killed', by: 'crash', detail: `it wrote to the runner’s channel: ${reading.reason}` }
    case 'nothing':
      if (outOfMemory) return { status: 'killed', by: 'memory' }
      // 128 + SIGXCPU: the kernel’s own limit on CPU time.
      if (code === 128 + 24) return { status: 'timeout', limit: 'cpu', afterMs: limits.cpuSeconds * 1000 }
      if (code !== null && code < 128)
        return { status: 'no_result', reason: 'The process ended without RESULT' }
      return {
        status: 'killed',
        by: 'crash',
        detail: code === null ? 'it ended by a signal' : `it ended by signal ${code - 128}`,
      }
    default:
      return reading satisfies never
  }
}

function findOutcomeEnding(outcome: RunOutcome): ExecutionEnding {
  switch (outcome.status) {
    case 'completed':
    case 'no_result':
    case 'threw':
      return outcome
    case 'syntax':
      return { status: 'refused', reason: 'syntax', error: outcome.error }
    case 'oversize':
      return { status: 'killed', by: 'result' }
    case 'memory':
    case 'requests':
      return { status: 'killed', by: outcome.status }
    default:
      return outcome satisfies never
  }
}

const sigkill = 9
/**
 * Tells whether SIGKILL ended it although neither a limit nor the kernel's want of memory explains that.
 * There is no code if the jail itself was killed.
 */
export const isKilledByOthers = ({ killed, reading, code, outOfMemory }: CellEnd) =>
  killed === undefined &&
  reading.kind === 'nothing' &&
  !outOfMemory &&
  (code === null || code === 128 + sigkill)
