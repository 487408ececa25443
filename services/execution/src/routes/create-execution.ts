import { checkProvider } from '../check-provider.ts'
import { checkRequest } from '../check-request.ts'
import type { ExecutionRoute } from '../context.ts'
import { runOrQueue } from '../run-or-queue.ts'

export const createExecution: ExecutionRoute<'createExecution'> = async (
  { body, query: { wait = 0 }, idempotencyKey, signal },
  context,
) => {
  const batch = 'batch' in body
  const requests = batch ? body.batch : [body]
  for (const [index, request] of requests.entries()) {
    const at = batch ? `/batch/${index}` : ''
    await checkRequest(request, context, at)
    await checkProvider(request, context, at)
  }
  const order = { _id: context.newId('exe', idempotencyKey), requests, batch }
  return runOrQueue(order, { seconds: wait, mayRepeat: idempotencyKey !== undefined, signal }, context)
}
