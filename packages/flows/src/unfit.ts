/**
 * Runs that execution would refuse because of what a candidate wrote. They end here, as runs of the
 * candidate: a refused job says nothing of whose fault it is.
 */
import {
  type ExecutionEnding,
  type ExecutionResult,
  maxCode,
  maxListedCalls,
  type HostNeed,
  type Observation,
} from '@stateeval/contracts'

type RunRequest = Extract<HostNeed, { kind: 'execute' }>['request']

function findUnfitEnding(request: RunRequest): ExecutionEnding | null {
  if (request.kind === 'code') {
    const message = `the program is longer than ${maxCode} characters`
    return request.code.length > maxCode
      ? { status: 'refused', reason: 'syntax', error: { name: 'SyntaxError', message } }
      : null
  }
  const detail = `the list has more than ${maxListedCalls} calls`
  return request.calls.length > maxListedCalls ? { status: 'killed', by: 'requests', detail } : null
}

/** How such a run ends on each input; null where execution takes it. */
export function buildUnfitResult(request: RunRequest): ExecutionResult | null {
  const ending = findUnfitEnding(request)
  if (!ending) return null
  const observation: Observation = {
    ending,
    world: null,
    log: [],
    output: '',
    faults: [],
    wallMs: 0,
    sandbox: 'none',
  }
  return { observations: request.inputs.map(() => observation), runtime: 'none' }
}
