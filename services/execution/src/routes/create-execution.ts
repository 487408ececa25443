import { checkRequest } from '../check-request.ts'
import type { Route } from '../context.ts'
import { runOrQueue } from '../run-or-queue.ts'

export const createExecution: Route<'createExecution'> = async (
  { body, query: { wait = 0 }, idempotencyKey, signal },
  context,
) => {
  const batch = 'batch' in body
  const requests = batch ? body.batch : [body]
  requests.forEach((request, index) => checkRequest(request, context, batch ? `/batch/${index}` : ''))
  const order = { _id: context.newId('exe', idempotencyKey), requests, batch }
  return runOrQueue(order, { seconds: wait, mayRepeat: idempotencyKey !== undefined, signal }, context)
}
