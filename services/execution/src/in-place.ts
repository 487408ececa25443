/**
 * One program, run where it was asked for: no queue, one process, an answer in milliseconds. Only for callers who wait:
 * should this process die, the caller sees the connection break and asks again. A caller who gave an Idempotency-Key, sent
 * a batch, or won't wait long enough is served by the queue, which survives anything.
 */
import type { Execution, ExecutionRequest, ExecutionResult } from '@stateeval/contracts'
import type { Context } from './context.ts'
import { execute } from './execute.ts'
import { resource } from './executions.ts'
import { jobOf } from './store.ts'

/** Programs for each place to run that may be held here; more go to the queue, where they take no memory of ours. */
const heldForEach = 16
const held = new WeakMap<Context['sandbox'], number>()
export const hasRoomInPlace = ({ sandbox, config }: Pick<Context, 'sandbox' | 'config'>) =>
  (held.get(sandbox) ?? 0) < config.sandbox.concurrency * heldForEach

/** The finished execution, stored; undefined where it took longer than `ms` or the caller left: nothing of it remains then. */
export async function runInPlace(
  _id: string,
  request: ExecutionRequest,
  ms: number,
  caller: AbortSignal,
  context: Context,
): Promise<Execution | undefined> {
  const { now, sandbox } = context
  const createdAt = now()
  const patience = AbortSignal.any([caller, AbortSignal.timeout(ms)])
  let result: ExecutionResult
  held.set(sandbox, (held.get(sandbox) ?? 0) + 1)
  try {
    result = await execute(request, context, patience)
  } catch (error) {
    if (patience.aborted) return undefined
    throw error
  } finally {
    held.set(sandbox, (held.get(sandbox) ?? 1) - 1)
  }
  const begun = { _id, total: 1, createdAt, batch: false }
  const end = { ended: 'succeeded' as const, finishedAt: now() }
  await Promise.all([
    context.artifacts.pack(result).then((value) => context.outcomes.settle(jobOf(_id, 0), { status: 'done', value })),
    context.store.record(begun, end),
  ])
  return { ...resource({ ...begun, ...end }, 'succeeded', 1), result }
}
