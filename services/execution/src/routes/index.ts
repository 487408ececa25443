/** One file per operation; the compiler checks the list against the contract. */
import type { executionOperations } from '@stateeval/contracts'
import type { OperationHandlers } from '@stateeval/service-kit'
import type { ExecutionContext } from '../context.ts'
import { callSession } from './call-session.ts'
import { cancelExecution } from './cancel-execution.ts'
import { closeSession } from './close-session.ts'
import { createExecution } from './create-execution.ts'
import { getExecution } from './get-execution.ts'
import { getRuntime } from './get-runtime.ts'
import { getSession } from './get-session.ts'
import { listExecutionResults } from './list-execution-results.ts'
import { listExecutions } from './list-executions.ts'
import { listSessionCalls } from './list-session-calls.ts'
import { listWorlds } from './list-worlds.ts'
import { openSession } from './open-session.ts'

export const handlers: OperationHandlers<typeof executionOperations, ExecutionContext> = {
  createExecution,
  listExecutions,
  getExecution,
  listExecutionResults,
  cancelExecution,
  openSession,
  getSession,
  callSession,
  listSessionCalls,
  closeSession,
  getRuntime,
  listWorlds,
}
