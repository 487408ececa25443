import { type ExecutionResult, type Outcome, ProblemError, subjects } from '@stateeval/contracts'
import { checkRequest } from '../check-request.ts'
import type { Context, Route } from '../context.ts'
import { look, queue } from '../executions.ts'
import { hasRoomInPlace, runInPlace } from '../in-place.ts'
import { jobOf, type StoredExecution } from '../store.ts'

/** Between two looks at the outcomes while a caller waits: another process may have done the work. In milliseconds; twice as long after each that tells nothing new. */
const [lookAfterMs, lookAtLeastMs] = [25, 200]

export const createExecution: Route<'createExecution'> = async ({ body, query, idempotencyKey, signal }, context) => {
  const { artifacts, bus, config, newId, now, store } = context
  const requests = 'batch' in body ? body.batch : [body]
  requests.forEach((request, index) => checkRequest(request, context, 'batch' in body ? `/batch/${index}` : ''))
  const _id = newId('exe', idempotencyKey)
  const batch = 'batch' in body
  // Timers take whole milliseconds.
  const ms = Math.ceil((query.wait ?? 0) * 1000)
  const until = performance.now() + ms
  let done: ReadonlyMap<number, ExecutionResult> = new Map()
  if (ms > 0 && idempotencyKey === undefined && hasRoomInPlace(context)) {
    const ran = await runInPlace({ _id, requests, batch }, ms, signal, context)
    if ('execution' in ran) return { status: 200, body: ran.execution }
    // Nobody knows of the rest: whoever asks again must not wait behind it.
    signal.throwIfAborted()
    done = ran.done
  }
  // Over HTTP the queue is bounded: callers hear when to come back instead of waiting behind more than can be run.
  const ahead = await bus.waiting(subjects.executeAsked)
  if (ahead + requests.length > config.queue)
    throw new ProblemError(
      'unavailable',
      `${ahead} programs are waiting, and at most ${config.queue} may; send ${requests.length > config.queue ? 'smaller batches' : 'it again in a moment'}`,
    )
  const stored = await store.create({
    _id,
    total: requests.length,
    createdAt: now(),
    batch,
    requests: await artifacts.putJson(requests),
  })
  await Promise.all([...done].map(([n, result]) => keep(jobOf(_id, n), result, context)))
  await queue(stored, context, done)
  const execution = await waited(stored, until, signal, context)
  if (execution.status === 'queued' || execution.status === 'running')
    return { status: 202, body: execution, headers: { location: `/v1/executions/${_id}` } }
  return { status: 200, body: execution }
}

/** What ran in place before the time was over is the outcome of its job. */
async function keep(job: string, result: ExecutionResult, { artifacts, outcomes }: Context) {
  await outcomes.begin(job)
  await outcomes.settle(job, { status: 'done', value: await artifacts.pack(result) })
}

async function waited(stored: StoredExecution, until: number, signal: AbortSignal, context: Context) {
  const known: Outcome[] = []
  let pause = lookAfterMs
  for (;;) {
    const before = known.length
    const execution = await look(stored, context, known)
    const left = until - performance.now()
    if (left <= 0 || signal.aborted || !['queued', 'running'].includes(execution.status)) return execution
    pause = known.length > before ? lookAfterMs : Math.min(2 * pause, lookAtLeastMs)
    // The next one that is missing: what this process has done is seen at once.
    await context.outcomes.settledHere(jobOf(stored._id, known.length), Math.min(left, pause), signal)
  }
}
