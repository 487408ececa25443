/**
 * Asks again for what has not come: lost messages, steps cut short by a kill. An item that has not moved between two
 * sweeps is reminded, less and less often, as long runs don't move either and another replica may lead it; after a start
 * all are. Whoever is asked twice recognises the job's id.
 */
import { isAway, messageOf } from '@stateeval/service-kit'
import type { EvaluationContext } from '../context.ts'
import { isEnded, type Owner } from '../owners/owner.ts'
import { finish } from './complete.ts'
import { lanesOf, placeKey } from './progress.ts'
import { remind } from './step.ts'

const isPowerOfTwo = (n: number) => n > 0 && (n & (n - 1)) === 0

/** One owner. With `force`, items are reminded although they may have moved just now. */
export async function sweepOwner(context: EvaluationContext, owner: Owner, { force }: { force: boolean }): Promise<void> {
  const places = await lanesOf(context, owner, { look: true })
  for (const { lane, waiting } of places) {
    if (waiting === null) continue
    const key = placeKey(owner.id, owner.stage, lane)
    const wait = context.waits.get(key)
    const rev = wait?.index === waiting ? wait.rev : 0
    const before = context.seen.get(key)
    const unmoved = before?.index === waiting && before.rev === rev ? before.unmoved + 1 : 0
    context.seen.set(key, { index: waiting, rev, unmoved })
    if (force || isPowerOfTwo(unmoved)) await remind(context, { owner: owner.id, stage: owner.stage, index: waiting })
  }
  // All items have ended, yet the stage has not: the last step was cut short.
  if (places.every(({ waiting }) => waiting === null)) await finish(context, owner, owner.stage)
}

/**
 * Stops watching an owner that is not there or has ended. One that is being created or resumed looks the same for a moment,
 * as it is watched first: so it takes two sweeps, and a last look.
 */
async function forget(context: EvaluationContext, id: string): Promise<void> {
  const { gone } = context.swept
  if (!gone.has(id)) return void gone.add(id)
  gone.delete(id)
  await context.active.remove(id)
  const owner = await context.owners.get(id)
  if (owner && !isEnded(owner)) await context.active.create(id, { kind: owner.kind })
}

/** An owner that so many sweeps in a row could not lead on, while all servers were there, has met a fault that stays. */
export const mostFailures = 30

/** Counts that an owner could not be led on; ends it where that is no matter of time, since nobody would wait for ever. */
async function noteFailure(context: EvaluationContext, id: string, error: unknown): Promise<void> {
  const { failing } = context.swept
  const failures = (failing.get(id) ?? 0) + (isAway(error) ? 0 : 1)
  failing.set(id, failures)
  if (failures < mostFailures) return
  const reason = `it could not go on: ${messageOf(error)}; the log of the evaluation service has more`
  await context.owners.end(id, { status: 'failed', error: reason })
  failing.delete(id)
}

/** Rejects with the first owner's failure, after all others have been swept: one that can't go on stops nobody else. */
export async function sweep(context: EvaluationContext, signal: AbortSignal): Promise<void> {
  const { swept } = context
  const errors: unknown[] = []
  for (const { id } of await context.active.page(undefined, 10_000)) {
    if (signal.aborted) return
    try {
      const owner = await context.owners.get(id)
      if (!owner || isEnded(owner)) await forget(context, id)
      else {
        swept.gone.delete(id)
        await sweepOwner(context, owner, { force: !swept.once || swept.failing.has(id) })
      }
      swept.failing.delete(id)
    } catch (error) {
      errors.push(error)
      await noteFailure(context, id, error).catch((worse: unknown) => errors.push(worse))
    }
  }
  swept.once = true
  if (errors.length > 0) throw errors[0]
}
