import type { ExecutionRoute } from '../context.ts'
import { answered, existing, look } from '../executions.ts'

export const getExecution: ExecutionRoute<'getExecution'> = async ({ params, signal }, context) => {
  const record = await existing(context, params.id)
  return { status: 200, ...(await answered(record, await look(record, context), context, signal)) }
}
