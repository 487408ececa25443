import type { ExecutionRoute } from '../context.ts'
import { answered, existing, look } from '../executions.ts'

export const cancelExecution: ExecutionRoute<'cancelExecution'> = async ({ params, signal }, context) => {
  const { status } = await look(await existing(context, params.id), context)
  if (status === 'queued' || status === 'running')
    await context.store.end(params.id, { ended: 'cancelled', finishedAt: context.now() })
  const record = await existing(context, params.id)
  return { status: 200, ...(await answered(record, await look(record, context), context, signal)) }
}
