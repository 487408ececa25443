/**
 * Queues programs without a worker: their message was lost with the broker, or never sent. Closes worlds of
 * idle sessions.
 */
import { runInTrace, isAway, getErrorText } from '@stateeval/service-kit'
import type { ExecutionContext } from './context.ts'
import { loadKeptRequests, readCurrentState, queuePrograms } from './executions.ts'
import type { StoredExecution } from './store.ts'

/**
 * Programs that are asked for again in one sweep, at most. The queue serves in the order in which it was
 * asked: what stands behind so many would not have been run yet, and has its turn in a later sweep.
 */
const maxAskedAgain = 500

export async function sweepExecutions(context: ExecutionContext, signal: AbortSignal): Promise<void> {
  await context.sessions.giveUpIdle()
  let restarts = 0
  for await (const record of context.store.unfinished()) {
    if (signal.aborted || restarts >= maxAskedAgain) return
    restarts += await runInTrace(record.trace, () => requeuePrograms(record, context)).catch(
      (error: unknown) => fail(record, error, context),
    )
  }
}

/** How many programs were asked for again. */
async function requeuePrograms(record: StoredExecution, context: ExecutionContext): Promise<number> {
  const { status } = await readCurrentState(record, context)
  if (status !== 'queued' && status !== 'running') return 0
  const requests = await loadKeptRequests(record, context)
  await queuePrograms(record, requests, context)
  return requests.length
}

/**
 * One whose programs or results are damaged ends with the reason: it could not continue, and the others do.
 */
async function fail(
  { _id }: StoredExecution,
  error: unknown,
  { store, now }: ExecutionContext,
): Promise<number> {
  if (isAway(error)) throw error
  await store.end(_id, { ended: 'failed', finishedAt: now(), error: getErrorText(error) })
  return 0
}
