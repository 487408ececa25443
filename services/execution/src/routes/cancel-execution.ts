import type { Route } from '../context.ts'
import { existing, look } from '../executions.ts'

export const cancelExecution: Route<'cancelExecution'> = async ({ params }, context) => {
  const { status } = await look(await existing(context, params.id), context)
  if (status === 'queued' || status === 'running') await context.store.end(params.id, { ended: 'cancelled', finishedAt: context.now() })
  return { status: 200, body: await look(await existing(context, params.id), context) }
}
