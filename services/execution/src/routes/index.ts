/** One file an operation; the list is checked against the contract. */
import type { executionOperations } from '@stateeval/contracts'
import type { Handlers } from '@stateeval/service-kit'
import type { Context } from '../context.ts'
import { cancelExecution } from './cancel-execution.ts'
import { createExecution } from './create-execution.ts'
import { getExecution } from './get-execution.ts'
import { getRuntime } from './get-runtime.ts'
import { listExecutionResults } from './list-execution-results.ts'
import { listExecutions } from './list-executions.ts'
import { listWorlds } from './list-worlds.ts'

export const handlers: Handlers<typeof executionOperations, Context> = {
  createExecution,
  listExecutions,
  getExecution,
  listExecutionResults,
  cancelExecution,
  getRuntime,
  listWorlds,
}
