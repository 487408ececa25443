/**
 * Asks again for what the stored state shows missing: lost messages, steps cut short by a kill. An item that has not
 * moved between two sweeps is reminded; after a start all are. Whoever is asked twice recognises the job's id.
 */
import type { EvaluationContext } from '../context.ts'
import { isEnded, type Owner } from '../owners/owner.ts'
import { finish } from './complete.ts'
import { itemId } from './item.ts'
import { lanesOf } from './progress.ts'
import { remind, revisionOf } from './step.ts'

/** One owner. With `force`, items are reminded although they may have moved just now. */
export async function sweepOwner(context: EvaluationContext, owner: Owner, { force }: { force: boolean }): Promise<void> {
  const places = await lanesOf(context, owner, { look: true })
  for (const { lane, waiting } of places) {
    if (waiting === null) continue
    const item = { owner: owner.id, stage: owner.stage, index: waiting }
    const id = itemId(item)
    const before = context.seen.get(`${owner.id}/${owner.stage}/${lane}`)
    const rev = await revisionOf(context, item, before?.id === id ? before.rev : 0)
    context.seen.set(`${owner.id}/${owner.stage}/${lane}`, { id, rev })
    const unmoved = before?.id === id && before.rev === rev
    if (force || unmoved) await remind(context, item, rev)
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

export async function sweep(context: EvaluationContext, signal: AbortSignal): Promise<void> {
  const force = !context.swept.once
  for (const { id } of await context.active.page(undefined, 10_000)) {
    if (signal.aborted) return
    const owner = await context.owners.get(id)
    if (!owner || isEnded(owner)) await forget(context, id)
    else {
      context.swept.gone.delete(id)
      await sweepOwner(context, owner, { force })
    }
  }
  context.swept.once = true
}
