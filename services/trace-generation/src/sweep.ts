/** Queues generations without a worker: their message was lost with the broker, or never sent. */
import { subjects } from '@stateeval/contracts'
import { runInTrace } from '@stateeval/service-kit'
import type { TraceContext } from './context.ts'

export async function sweepGenerations({ store, send }: TraceContext): Promise<void> {
  // A job that is queued or in flight can't be queued twice, so asking again costs nothing.
  for (const { _id, trace } of await store.unfinished())
    await runInTrace(trace, () => send(subjects.generate, { id: _id, value: { generation: _id } }))
}
