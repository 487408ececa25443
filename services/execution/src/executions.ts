/** Executions in the contract's form: the stored ones, with the outcomes of their jobs. */
import {
  type Execution,
  type AnyExecutionRequest,
  maxAnswerBytes,
  ProblemError,
  subjects,
} from '@stateeval/contracts'
import { type JsonText, parseJsonText } from '@stateeval/service-kit'
import type { ExecutionContext } from './context.ts'
import {
  measureParts,
  type KnownResults,
  type ResultContext,
  loadResultsAtHand,
  withResults,
} from './results.ts'
import { type EndOfExecution, formatProgramJob, type StoredExecution } from './store.ts'

type ExecutionParts = Pick<ExecutionContext, 'store' | 'outcomes' | 'now'>

export async function requireExecution(
  { store }: Pick<ExecutionContext, 'store'>,
  id: string,
): Promise<StoredExecution> {
  const record = await store.find(id)
  if (!record) throw new ProblemError('not-found', `there is no execution ${JSON.stringify(id)}`)
  return record
}

/**
 * Queues programs of an execution, except those known to be done. Programs that are queued, running or done
 * do not run again.
 */
export async function queuePrograms(
  { _id }: Pick<StoredExecution, '_id'>,
  requests: readonly AnyExecutionRequest[],
  { send, world }: Pick<ExecutionContext, 'send' | 'world'>,
  results: ReadonlyMap<number, unknown> = new Map(),
) {
  await Promise.all(
    requests.map(async (value, n) => {
      if (results.has(n)) return
      await send(await chooseExecutionSubject(value, world), { id: formatProgramJob(_id, n), value })
    }),
  )
}

const chooseExecutionSubject = async ({ world }: AnyExecutionRequest, find: ExecutionContext['world']) =>
  (await find(world, '/world')).tensors ? subjects.tensorsAsked : subjects.executeAsked

/** Requests of more bytes are an artifact, which costs a look, packing and an insert more. */
const maxTextBytes = 8000

/** Requests, as stored with an execution. */
export async function keepRequests(
  requests: readonly AnyExecutionRequest[],
  { artifacts }: Pick<ExecutionContext, 'artifacts'>,
): Promise<Pick<StoredExecution, 'text' | 'requests'>> {
  const text = JSON.stringify(requests)
  if (Buffer.byteLength(text) <= maxTextBytes) return { text }
  return { requests: await artifacts.put(Buffer.from(text)) }
}

/** The requests of an execution; empty if it ran before it was stored. */
export async function loadKeptRequests(
  { text, requests }: Pick<StoredExecution, 'text' | 'requests'>,
  { artifacts }: Pick<ExecutionContext, 'artifacts'>,
): Promise<AnyExecutionRequest[]> {
  if (text !== undefined) return JSON.parse(text) as AnyExecutionRequest[]
  return requests === undefined ? [] : ((await artifacts.getJson(requests)) as AnyExecutionRequest[])
}

/**
 * Known outcomes of an execution's programs: how many are done, counted from the first, and the size of
 * their results.
 */
export interface ExecutionProgress {
  done: number
  bytes: number
  /** Why one of them failed. */
  failed?: string
}

/**
 * The current execution without results. Ended programs are noted. Repeated calls pass the previous
 * progress, so it is not read again.
 */
export async function readCurrentState(
  record: StoredExecution,
  parts: ExecutionParts,
  progress: ExecutionProgress = { done: 0, bytes: 0 },
): Promise<Execution> {
  if (record.ended)
    return describeExecution(record, record.ended, record.ended === 'succeeded' ? record.total : 0)
  await readFurtherEnds(record, parts, progress)
  const { done, bytes, failed } = progress
  if (failed !== undefined) return endExecution(record, { ended: 'failed', error: failed }, done, parts)
  if (done < record.total) return describeExecution(record, done > 0 ? 'running' : 'queued', done)
  return endExecution(record, { ended: 'succeeded', resultBytes: bytes }, done, parts)
}

/** Stops at the first that is missing: asking for the rest of a long batch would tell nothing more. */
async function readFurtherEnds(
  { _id, total }: StoredExecution,
  { outcomes }: ExecutionParts,
  progress: ExecutionProgress,
): Promise<void> {
  while (progress.done < total && progress.failed === undefined) {
    const outcome = await outcomes.find(formatProgramJob(_id, progress.done))
    if (outcome === null) return
    progress.done++
    if (outcome.status === 'done') progress.bytes += measureParts(outcome.value)
    else progress.failed = outcome.reason
  }
}

async function endExecution(
  record: StoredExecution,
  end: Omit<EndOfExecution, 'finishedAt'>,
  done: number,
  { store, now }: ExecutionParts,
): Promise<Execution> {
  const finishedAt = now()
  await store.end(record._id, { ...end, finishedAt })
  return describeExecution({ ...record, ...end, finishedAt }, end.ended, done)
}

export function describeExecution(
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

/** The body of a response: with the results if they exist and fit. */
export async function buildExecutionAnswer(
  record: StoredExecution,
  execution: Execution,
  context: ResultContext,
  signal: AbortSignal,
  results?: KnownResults,
): Promise<{ body: Execution } | { json: JsonText }> {
  const { status, resultBytes = 0 } = execution
  if (status !== 'succeeded' || resultBytes > maxAnswerBytes) return { body: execution }
  const isOnePiece = resultBytes <= onePieceBytes
  const atHand = isOnePiece ? loadResultsAtHand(record, results) : undefined
  if (atHand)
    return { body: { ...execution, ...(record.batch ? { results: atHand } : { result: atHand[0]! }) } }
  const json = withResults(execution, record, context, signal, results)
  return isOnePiece ? { body: (await parseJsonText(json)) as Execution } : { json }
}
