/**
 * The operations of execution: programs run in the sandbox against a world, tool sessions, and the runtime.
 */
import { programExecutionOperations } from './executions.ts'
import { runtimeOperations } from './runtime.ts'
import { toolSessionOperations } from './sessions.ts'

export { Execution, ExecutionBatch, ObservedInput } from './executions.ts'
export { Interpreter, RuntimeInfo, WorldSummary } from './runtime.ts'
export { ToolResults } from './sessions.ts'

export const executionOperations = {
  ...programExecutionOperations,
  ...toolSessionOperations,
  ...runtimeOperations,
}
