import { type Outcome, ProblemError, subjects } from '@stateeval/contracts'
import { checkRequest } from '../check-request.ts'
import type { Context, Route } from '../context.ts'
import { look, queue } from '../executions.ts'
import { hasRoomInPlace, runInPlace } from '../in-place.ts'
import { jobOf, type StoredExecution } from '../store.ts'

/** Between two looks at the outcomes while a caller waits: another process may have done the work. In milliseconds. */
const lookEveryMs = 25

export const createExecution: Route<'createExecution'> = async ({ body, query, idempotencyKey, signal }, context) => {
  const { artifacts, bus, config, newId, now, store } = context
  const requests = 'batch' in body ? body.batch : [body]
  requests.forEach((request, index) => checkRequest(request, context, 'batch' in body ? `/batch/${index}` : ''))
  const _id = newId('exe', idempotencyKey)
  const ms = (query.wait ?? 0) * 1000
  const until = performance.now() + ms
  if (!('batch' in body) && ms > 0 && idempotencyKey === undefined && hasRoomInPlace(context)) {
    const execution = await runInPlace(_id, body, ms, signal, context)
    if (execution) return { status: 200, body: execution }
  }
  // Over HTTP the queue is bounded: callers hear when to come back instead of waiting behind more than can be run.
  const ahead = await bus.waiting(subjects.execute)
  if (ahead + requests.length > config.queue)
    throw new ProblemError(
      'unavailable',
      `${ahead} programs are waiting, and at most ${config.queue} may; send ${requests.length > config.queue ? 'smaller batches' : 'it again in a moment'}`,
    )
  const stored = await store.create({
    _id,
    total: requests.length,
    createdAt: now(),
    batch: 'batch' in body,
    requests: await artifacts.putJson(requests),
  })
  await queue(stored, context)
  const execution = await waited(stored, until, signal, context)
  if (execution.status === 'queued' || execution.status === 'running')
    return { status: 202, body: execution, headers: { location: `/v1/executions/${_id}` } }
  return { status: 200, body: execution }
}

async function waited(stored: StoredExecution, until: number, signal: AbortSignal, context: Context) {
  const known: Outcome[] = []
  for (;;) {
    const execution = await look(stored, context, known)
    const left = until - performance.now()
    if (left <= 0 || signal.aborted || !['queued', 'running'].includes(execution.status)) return execution
    // The last program of a batch tends to end last.
    await context.outcomes.settledHere(jobOf(stored._id, stored.total - 1), Math.min(left, lookEveryMs), signal)
  }
}
