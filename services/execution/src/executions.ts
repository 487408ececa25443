/** Executions as the contract shows them: stored ones, with what the outcomes of their jobs tell. */
import { type Execution, type ExecutionRequest, type ExecutionResult, type Outcome, ProblemError, subjects } from '@stateeval/contracts'
import type { Context } from './context.ts'
import { type EndOfExecution, jobOf, type StoredExecution } from './store.ts'

type Parts = Pick<Context, 'store' | 'outcomes' | 'artifacts' | 'now' | 'send'>

export async function existing({ store }: Pick<Context, 'store'>, id: string): Promise<StoredExecution> {
  const found = await store.find(id)
  if (!found) throw new ProblemError('not-found', `there is no execution ${JSON.stringify(id)}`)
  return found
}

/** Queues every program of an execution, but for those that are known to be done. Programs that are queued, running or done are not run again. */
export async function queue(stored: StoredExecution, { artifacts, send }: Parts, done: ReadonlyMap<number, unknown> = new Map()) {
  if (stored.requests === undefined) return
  const requests = (await artifacts.getJson(stored.requests)) as ExecutionRequest[]
  await Promise.all(requests.flatMap((value, n) => (done.has(n) ? [] : [send(subjects.executeAsked, { id: jobOf(stored._id, n), value })])))
}

/** The execution as it is now; with all results once it has succeeded. What has ended is written down. `known` gathers outcomes: who looks again needn’t ask for them again. */
export async function look(stored: StoredExecution, parts: Parts, known: Outcome[] = []): Promise<Execution> {
  if (stored.ended === 'cancelled' || stored.ended === 'failed') return resource(stored, stored.ended, 0)
  const recorded = stored.ended && (await parts.store.recorded(stored))
  if (recorded) return { ...resource(stored, 'succeeded', stored.total), ...resultsOf(stored, recorded) }
  const outcomes = await outcomesOf(stored, parts, known)
  const done = outcomes.filter((outcome) => outcome !== null)
  const bad = done.find((outcome) => outcome.status !== 'done')
  if (bad && 'reason' in bad) return ended(stored, { ended: 'failed', error: bad.reason }, done.length, parts)
  if (done.length < stored.total) return resource(stored, done.length > 0 ? 'running' : 'queued', done.length)
  const results = await Promise.all(
    done.flatMap((outcome) => (outcome.status === 'done' ? [parts.artifacts.unpack(outcome.value) as Promise<ExecutionResult>] : [])),
  )
  const execution = await ended(stored, { ended: 'succeeded' }, done.length, parts)
  return { ...execution, ...resultsOf(stored, results) }
}

export const resultsOf = ({ batch }: Pick<StoredExecution, 'batch'>, results: ExecutionResult[]) =>
  batch ? { results } : { result: results[0] as ExecutionResult }

/** Stops at the first that is missing: asking for the rest of a long batch would tell nothing more. */
async function outcomesOf({ _id, total }: StoredExecution, { outcomes }: Parts, known: Outcome[]): Promise<(Outcome | null)[]> {
  while (known.length < total) {
    const found = await outcomes.find(jobOf(_id, known.length))
    if (found === null) return [...known, null]
    known.push(found)
  }
  return [...known]
}

async function ended(
  stored: StoredExecution,
  end: Omit<EndOfExecution, 'finishedAt'>,
  done: number,
  { store, now }: Parts,
): Promise<Execution> {
  const finishedAt = stored.finishedAt ?? now()
  if (!stored.ended) await store.end(stored._id, { ...end, finishedAt })
  return resource({ ...stored, ...end, finishedAt }, end.ended, done)
}

export function resource(
  { _id, total, createdAt, finishedAt, error }: StoredExecution,
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
    links: { self, cancel: `${self}/cancel` },
  }
}
