/** Executions as the contract shows them: stored ones, with what the outcomes of their jobs tell. */
import {
  type Execution,
  type AnyExecutionRequest,
  maxAnswerBytes,
  ProblemError,
  subjects,
} from '@stateeval/contracts'
import { type JsonText, jsonOf } from '@stateeval/service-kit'
import type { Context } from './context.ts'
import { bytesOf, type KnownResults, type ResultContext, withResults } from './results.ts'
import { type EndOfExecution, jobOf, type StoredExecution } from './store.ts'

type Parts = Pick<Context, 'store' | 'outcomes' | 'artifacts' | 'now' | 'send'>

export async function existing({ store }: Pick<Context, 'store'>, id: string): Promise<StoredExecution> {
  const found = await store.find(id)
  if (!found) throw new ProblemError('not-found', `there is no execution ${JSON.stringify(id)}`)
  return found
}

/** Queues every program of an execution, but for those that are known to be done. Programs that are queued, running or done are not run again. */
export async function queue(
  stored: StoredExecution,
  { artifacts, send }: Parts,
  done: ReadonlyMap<number, unknown> = new Map(),
) {
  if (stored.requests === undefined) return
  const requests = (await artifacts.getJson(stored.requests)) as AnyExecutionRequest[]
  await Promise.all(
    requests.flatMap((value, n) =>
      done.has(n) ? [] : [send(subjects.executeAsked, { id: jobOf(stored._id, n), value })],
    ),
  )
}

/** What is known of the outcomes of an execution's programs: how many are done from the first on, and the size of their results. */
export interface Seen {
  done: number
  bytes: number
  /** Why one of them failed. */
  failed?: string
}

/** The execution as it is now, without results. What has ended is written down. Who looks again hands in what was seen, and needn't ask for it again. */
export async function look(
  stored: StoredExecution,
  parts: Parts,
  seen: Seen = { done: 0, bytes: 0 },
): Promise<Execution> {
  if (stored.ended) return resource(stored, stored.ended, stored.ended === 'succeeded' ? stored.total : 0)
  await lookOn(stored, parts, seen)
  const { done, bytes, failed } = seen
  if (failed !== undefined) return ended(stored, { ended: 'failed', error: failed }, done, parts)
  if (done < stored.total) return resource(stored, done > 0 ? 'running' : 'queued', done)
  return ended(stored, { ended: 'succeeded', resultBytes: bytes }, done, parts)
}

/** Stops at the first that is missing: asking for the rest of a long batch would tell nothing more. */
async function lookOn({ _id, total }: StoredExecution, { outcomes }: Parts, seen: Seen): Promise<void> {
  while (seen.done < total && seen.failed === undefined) {
    const found = await outcomes.find(jobOf(_id, seen.done))
    if (found === null) return
    seen.done++
    if (found.status === 'done') seen.bytes += bytesOf(found.value)
    else seen.failed = found.reason
  }
}

async function ended(
  stored: StoredExecution,
  end: Omit<EndOfExecution, 'finishedAt'>,
  done: number,
  { store, now }: Parts,
): Promise<Execution> {
  const finishedAt = now()
  await store.end(stored._id, { ...end, finishedAt })
  return resource({ ...stored, ...end, finishedAt }, end.ended, done)
}

export function resource(
  { _id, total, createdAt, finishedAt, error, resultBytes }: StoredExecution,
  status: Execution['status'],
  done: number,
): Execution {
  const self = `/v1/executions/${_id}`
  return {
    id: _id,
    status,
    progress: { done, total, phase: status },
    createdAt: createdAt.toISOString(),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    ...(error !== undefined && { error }),
    ...(resultBytes !== undefined && { resultBytes }),
    links: { self, cancel: `${self}/cancel`, results: `${self}/results` },
  }
}

/** Up to so many bytes an answer is made in one piece, and held against the contract as a whole. */
const onePieceBytes = 200_000

/** The body of an answer: with the results, where there are any and an answer holds them. */
export async function answered(
  stored: StoredExecution,
  execution: Execution,
  context: ResultContext,
  signal: AbortSignal,
  known?: KnownResults,
): Promise<{ body: Execution } | { json: JsonText }> {
  const { status, resultBytes = 0 } = execution
  if (status !== 'succeeded' || resultBytes > maxAnswerBytes) return { body: execution }
  const json = withResults(execution, stored, context, signal, known)
  return resultBytes > onePieceBytes ? { json } : { body: (await jsonOf(json)) as Execution }
}
