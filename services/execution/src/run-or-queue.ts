/** Serves an execution over HTTP: in place if possible, otherwise by the queue. */
import type { Execution } from '@stateeval/contracts'
import type { DocumentInsertion, JsonText } from '@stateeval/service-kit'
import { canRunHere } from './check-request.ts'
import type { ExecutionContext } from './context.ts'
import { buildExecutionAnswer, describeExecution } from './executions.ts'
import { type RequestedExecution, hasRoomInPlace, type InPlace, runInPlace } from './in-place.ts'
import { enqueuePrograms, waitForEnd } from './wait.ts'

interface RequestCaller {
  /** How long it waits. */
  seconds: number
  /** It named the request, and gets the same execution when it asks again. */
  mayRepeat: boolean
  /** Aborted when it leaves. */
  signal: AbortSignal
}
type ExecutionAnswer =
  | ({ status: 200; stores?: DocumentInsertion } & ({ body: Execution } | { json: JsonText }))
  | { status: 202; body: Execution; headers: { location: string } }

export async function runOrQueue(
  order: RequestedExecution,
  { seconds, mayRepeat, signal }: RequestCaller,
  context: ExecutionContext,
): Promise<ExecutionAnswer> {
  // Timers take whole milliseconds.
  const ms = Math.ceil(seconds * 1000)
  const until = performance.now() + ms
  const inPlace = ms > 0 && !mayRepeat && (await canRunAllHere(order, context)) && hasRoomInPlace(context)
  const ran: InPlace = inPlace ? await runInPlace(order, ms, signal, context) : { results: new Map() }
  if (ran.record) {
    const { record, results, stores } = ran
    const execution = describeExecution(record, 'succeeded', record.total)
    const answer = await buildExecutionAnswer(record, execution, context, signal, results)
    return { status: 200, ...answer, ...(stores && { stores }) }
  }
  // Nobody knows of the rest: whoever asks again must not wait behind it.
  signal.throwIfAborted()
  const { record, isNew } = await enqueuePrograms(order, ran.results, context)
  // A caller that does not wait needs no progress of an execution that has just been queued.
  const execution =
    isNew && ms === 0
      ? describeExecution(record, 'queued', 0)
      : await waitForEnd(record, until, signal, context)
  if (execution.status === 'queued' || execution.status === 'running')
    return { status: 202, body: execution, headers: { location: `/v1/executions/${record._id}` } }
  return { status: 200, ...(await buildExecutionAnswer(record, execution, context, signal)) }
}

async function canRunAllHere({ requests }: RequestedExecution, context: ExecutionContext): Promise<boolean> {
  for (const request of requests) if (!(await canRunHere(request, context))) return false
  return true
}
