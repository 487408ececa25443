import type { ExecutionRoute } from '../context.ts'
import { buildExecutionAnswer, requireExecution, readCurrentState } from '../executions.ts'

export const cancelExecution: ExecutionRoute<'cancelExecution'> = async ({ params, signal }, context) => {
  const { status } = await readCurrentState(await requireExecution(context, params.id), context)
  if (status === 'queued' || status === 'running')
    await context.store.end(params.id, { ended: 'cancelled', finishedAt: context.now() })
  const record = await requireExecution(context, params.id)
  return {
    status: 200,
    ...(await buildExecutionAnswer(record, await readCurrentState(record, context), context, signal)),
  }
}
