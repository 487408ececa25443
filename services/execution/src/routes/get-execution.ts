import type { ExecutionRoute } from '../context.ts'
import { buildExecutionAnswer, requireExecution, readCurrentState } from '../executions.ts'

export const getExecution: ExecutionRoute<'getExecution'> = async ({ params, signal }, context) => {
  const record = await requireExecution(context, params.id)
  return {
    status: 200,
    ...(await buildExecutionAnswer(record, await readCurrentState(record, context), context, signal)),
  }
}
