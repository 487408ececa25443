import { checkRequest } from '../check-request.ts'
import type { Route } from '../context.ts'
import { answered, resource } from '../executions.ts'
import { hasRoomInPlace, type InPlace, runInPlace } from '../in-place.ts'
import { enqueue, waited } from '../wait.ts'

export const createExecution: Route<'createExecution'> = async (
  { body, query, idempotencyKey, signal },
  context,
) => {
  const batch = 'batch' in body
  const requests = batch ? body.batch : [body]
  requests.forEach((request, index) => checkRequest(request, context, batch ? `/batch/${index}` : ''))
  const order = { _id: context.newId('exe', idempotencyKey), requests, batch }
  // Timers take whole milliseconds.
  const ms = Math.ceil((query.wait ?? 0) * 1000)
  const until = performance.now() + ms
  const inPlace = ms > 0 && idempotencyKey === undefined && hasRoomInPlace(context)
  const ran: InPlace = inPlace ? await runInPlace(order, ms, signal, context) : { results: new Map() }
  if (ran.record) {
    const { record, results } = ran
    return {
      status: 200,
      ...(await answered(record, resource(record, 'succeeded', record.total), context, signal, results)),
    }
  }
  // Nobody knows of the rest: whoever asks again must not wait behind it.
  signal.throwIfAborted()
  const record = await enqueue(order, ran.results, context)
  const execution = await waited(record, until, signal, context)
  if (execution.status === 'queued' || execution.status === 'running')
    return { status: 202, body: execution, headers: { location: `/v1/executions/${record._id}` } }
  return { status: 200, ...(await answered(record, execution, context, signal)) }
}
