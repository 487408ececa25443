/** Queues programs that nobody works on: their message was lost with the broker, or never sent. Closes worlds of idle sessions. */
import { isAway, messageOf } from '@stateeval/service-kit'
import type { Context } from './context.ts'
import { look, queue } from './executions.ts'
import type { StoredExecution } from './store.ts'

export async function sweep(context: Context, signal: AbortSignal): Promise<void> {
  await context.sessions.giveUpIdle()
  for (const record of await context.store.unfinished()) {
    if (signal.aborted) return
    await goOn(record, context).catch((error: unknown) => fail(record, error, context))
  }
}

async function goOn(record: StoredExecution, context: Context) {
  const { status } = await look(record, context)
  if (status === 'queued' || status === 'running') await queue(record, context)
}

/** One whose programs or results are damaged ends with the reason: nobody could go on with it, and the others go on. */
async function fail({ _id }: StoredExecution, error: unknown, { store, now }: Context) {
  if (isAway(error)) throw error
  await store.end(_id, { ended: 'failed', finishedAt: now(), error: messageOf(error) })
}
