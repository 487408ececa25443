import { pause } from '@stateeval/service-kit'
import { checkRequest } from '../check-request.ts'
import type { Context, Route } from '../context.ts'
import { look, queue } from '../executions.ts'
import type { StoredExecution } from '../store.ts'

/** Between two looks at the outcomes while a caller waits, in milliseconds. */
const lookEveryMs = 25

export const createExecution: Route<'createExecution'> = async ({ body, query, idempotencyKey, signal }, context) => {
  const { artifacts, bus, newId, now, store } = context
  const requests = 'batch' in body ? body.batch : [body]
  requests.forEach((request, index) => checkRequest(request, context, 'batch' in body ? `/batch/${index}` : ''))
  bus.check()
  const _id = newId('exe', idempotencyKey)
  const stored = await store.create({
    _id,
    total: requests.length,
    createdAt: now(),
    batch: 'batch' in body,
    requests: await artifacts.putJson(requests),
  })
  await queue(stored, context)
  const execution = await waited(stored, (query.wait ?? 0) * 1000, signal, context)
  if (execution.status === 'queued' || execution.status === 'running')
    return { status: 202, body: execution, headers: { location: `/v1/executions/${_id}` } }
  return { status: 200, body: execution }
}

async function waited(stored: StoredExecution, ms: number, signal: AbortSignal, context: Context) {
  const until = performance.now() + ms
  for (;;) {
    const execution = await look(stored, context)
    const left = until - performance.now()
    if (left <= 0 || signal.aborted || !['queued', 'running'].includes(execution.status)) return execution
    await pause(Math.min(left, lookEveryMs), signal)
  }
}
