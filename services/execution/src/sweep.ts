/** Queues programs that nobody works on: their message was lost with the broker, or never sent. Closes worlds of idle sessions. */
import { isAway, messageOf } from '@stateeval/service-kit'
import type { Context } from './context.ts'
import { look, queue } from './executions.ts'
import type { StoredExecution } from './store.ts'

export async function sweep(context: Context, signal: AbortSignal): Promise<void> {
  await context.sessions.giveUpIdle()
  for (const stored of await context.store.unfinished()) {
    if (signal.aborted) return
    await goOn(stored, context).catch((error: unknown) => fail(stored, error, context))
  }
}

async function goOn(stored: StoredExecution, context: Context) {
  const { status } = await look(stored, context)
  if (status === 'queued' || status === 'running') await queue(stored, context)
}

/** One whose programs or results are damaged ends with the reason: nobody could go on with it, and the others go on. */
async function fail({ _id }: StoredExecution, error: unknown, { store, now }: Context) {
  if (isAway(error)) throw error
  await store.end(_id, { ended: 'failed', finishedAt: now(), error: messageOf(error) })
}
