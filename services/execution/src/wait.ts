/** Executions through the queue: queued, and awaited as long as the caller waits. */
import type { Execution, PayloadParts } from '@stateeval/contracts'
import { admitWork } from './admission.ts'
import type { ExecutionContext } from './context.ts'
import { keepRequests, readCurrentState, queuePrograms, type ExecutionProgress } from './executions.ts'
import type { RequestedExecution } from './in-place.ts'
import type { KnownResults } from './results.ts'
import { formatProgramJob, type StoredExecution } from './store.ts'

/**
 * Stores and queues the requested programs, except those that are done. `isNew`: this is the first such
 * request.
 */
export async function enqueuePrograms(
  { _id, requests, batch }: RequestedExecution,
  results: KnownResults,
  context: ExecutionContext,
): Promise<{ record: StoredExecution; isNew: boolean }> {
  const { now, queueLimit, store } = context
  return admitWork(requests.length, context, async () => {
    const begun = {
      ...{ _id, total: requests.length, createdAt: now(), batch },
      ...(await keepRequests(requests, context)),
    }
    await queueLimit.take(_id, (record) => readCurrentState(record, context))
    const record = await store.create(begun)
    await Promise.all([...results].map(([n, value]) => keep(formatProgramJob(_id, n), value, context)))
    // The same id stands for the same requests: it is made from them, or nobody else has it.
    await queuePrograms(record, requests, context, results)
    return { record, isNew: record === begun }
  })
}

/** Stores the outcome of a job that ended before the time was over. */
async function keep(job: string, value: PayloadParts, { outcomes }: ExecutionContext) {
  await outcomes.begin(job)
  await outcomes.settle(job, { status: 'done', value })
}

/**
 * Between two looks at the outcomes while a caller waits: another process may have done the work. In
 * milliseconds; twice as long after each that tells nothing new.
 */
const [lookAfterMs, lookAtLeastMs] = [25, 200]

export async function waitForEnd(
  record: StoredExecution,
  until: number,
  signal: AbortSignal,
  context: ExecutionContext,
): Promise<Execution> {
  const progress: ExecutionProgress = { done: 0, bytes: 0 }
  let pause = lookAfterMs
  for (;;) {
    const before = progress.done
    const execution = await readCurrentState(record, context, progress)
    const leftMs = until - performance.now()
    if (leftMs <= 0 || signal.aborted || !['queued', 'running'].includes(execution.status)) return execution
    pause = progress.done > before ? lookAfterMs : Math.min(2 * pause, lookAtLeastMs)
    // The next one that is missing: what this process has done is seen at once.
    await context.outcomes.settledHere(
      formatProgramJob(record._id, progress.done),
      Math.min(leftMs, pause),
      signal,
    )
  }
}
