/**
 * Runs programs in the process that got the request: no queue, and an answer in milliseconds. The job and
 * its outcome are the same as in the queue, and are stored before the caller is answered. If this process
 * dies, the caller sees a broken connection and asks again. Requests with an Idempotency-Key or without
 * waiting use the queue, which survives kills and uses all processes; so does the rest of a run that takes
 * longer.
 */
import { type AnyExecutionRequest, type PayloadParts, ProblemError } from '@stateeval/contracts'
import type { CleanConfirmation } from '@stateeval/sandbox'
import { type DocumentInsertion, pauseUnlessAborted } from '@stateeval/service-kit'
import type { ExecutionContext } from './context.ts'
import { withCpuSeconds } from './cpu-time.ts'
import { execute, executeSeparately, packResult } from './execute.ts'
import { measureParts, formatKeptResults, type KnownResults } from './results.ts'
import { formatProgramJob, type StoredExecution } from './store.ts'

/**
 * Programs for each place to run that may be held here; more go to the queue, where they take no memory of
 * ours.
 */
const heldForEach = 16
const heldCounts = new WeakMap<ExecutionContext['sandbox'], number>()
export const hasRoomInPlace = ({ sandbox, config }: Pick<ExecutionContext, 'sandbox' | 'config'>) =>
  (heldCounts.get(sandbox) ?? 0) < config.sandbox.concurrency * heldForEach

/**
 * A program's observations that are held until all programs have run have so many bytes at most; the rest is
 * stored by then.
 */
const heldOptions = { maxInline: 16_000 }

export interface RequestedExecution {
  _id: string
  requests: readonly AnyExecutionRequest[]
  batch: boolean
}
/** The finished execution. If it took longer than `ms` or the caller disconnected: the results so far. */
export type InPlace = { record?: StoredExecution; stores?: DocumentInsertion; results: KnownResults }

export async function runInPlace(
  order: RequestedExecution,
  ms: number,
  caller: AbortSignal,
  context: ExecutionContext,
): Promise<InPlace> {
  const { now, sandbox, config, store, outcomes } = context
  const { _id, requests, batch } = order
  const createdAt = now()
  const patience = new AbortController()
  let isOver = false
  const end = () => {
    isOver = true
    patience.abort()
  }
  const timer = setTimeout(end, ms)
  caller.addEventListener('abort', end)
  if (caller.aborted) end()
  const results = new Map<number, PayloadParts>()
  const confirmations = new Map<number, CleanConfirmation>()
  /** Programs that a canary has refuted before the execution has ended. */
  const refuted = new Set<number>()
  let hasEnded = false
  const charge = (work: () => Promise<PayloadParts>) =>
    withCpuSeconds(work, (cpuSeconds) => context.quota.used({ cpuSeconds }))
  // No more at a time than can run: programs that others ask for meanwhile have their turns between those of
  // a batch.
  const workers = Math.min(requests.length, config.sandbox.concurrency)
  let next = 0
  const worker = async () => {
    for (let n = next++; n < requests.length; n = next++)
      results.set(
        n,
        await charge(async () => {
          const executed = await execute(requests[n]!, context, patience.signal, heldOptions)
          confirmations.set(n, executed.confirmation)
          executed.confirmation.onRefuted(
            () => void (hasEnded ? refuteResults(_id, context) : refuted.add(n)),
          )
          return packResult(executed)
        }),
      )
  }
  const done = Array.from({ length: workers }, () =>
    worker().catch((error: unknown) => {
      patience.abort()
      throw error
    }),
  )
  heldCounts.set(sandbox, (heldCounts.get(sandbox) ?? 0) + workers)
  try {
    await Promise.all(done)
    for (const n of refuted) {
      results.set(
        n,
        await charge(() => executeSeparately(requests[n]!, context, patience.signal, heldOptions)),
      )
      confirmations.delete(n)
    }
  } catch (error) {
    await Promise.allSettled(done)
    if (error instanceof ProblemError || !isOver) throw error
    // Outcomes of the queue count once they are stored, so those that go there are confirmed first.
    await Promise.all([...confirmations].map(async ([n, one]) => (await one.confirm()) || results.delete(n)))
    return { results }
  } finally {
    clearTimeout(timer)
    caller.removeEventListener('abort', end)
    heldCounts.set(sandbox, (heldCounts.get(sandbox) ?? workers) - workers)
  }
  hasEnded = true
  const text = formatKeptResults(requests.map((_, n) => results.get(n)!))
  // The results first: an execution that is said to have ended has them.
  if (text === undefined)
    await Promise.all(
      [...results].map(([n, value]) => outcomes.settle(formatProgramJob(_id, n), { status: 'done', value })),
    )
  const resultBytes = [...results.values()].reduce((sum, parts) => sum + measureParts(parts), 0)
  const record = {
    _id,
    total: requests.length,
    createdAt,
    batch,
    ended: 'succeeded' as const,
    finishedAt: now(),
    resultBytes,
  }
  return {
    record,
    stores: store.recordOf(text === undefined ? record : { ...record, results: text }),
    results,
  }
}

const unconfirmed =
  'The warm jail of this execution could not be confirmed as clean. Run the program again; with an Idempotency-Key or without waiting, this happens by itself.'

/** Says of a stored execution that its results do not count. It may be stored a moment later. */
async function refuteResults(id: string, { store, log }: ExecutionContext) {
  for (let turn = 0; turn < 5; turn++) {
    const isStored = await store.refute(id, unconfirmed).catch((error: unknown) => {
      log.error({ err: error, execution: id }, 'an execution could not be refuted')
      return false
    })
    if (isStored) return
    await pauseUnlessAborted(1000)
  }
}
