/** Queues programs that nobody works on: their message was lost with the broker, or never sent. */
import type { Context } from './context.ts'
import { look, queue } from './executions.ts'

export async function sweep(context: Context, signal: AbortSignal): Promise<void> {
  for (const stored of await context.store.unfinished()) {
    if (signal.aborted) return
    const { status } = await look(stored, context)
    if (status === 'queued' || status === 'running') await queue(stored, context)
  }
}
