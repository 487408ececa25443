/**
 * What an owner's questions have used so far: the tallies of what has ended, on all replicas, or what this process knows of,
 * whichever is more. Requests in flight come on top; a budget is exceeded by these at most.
 */
import type { Usage } from '@stateeval/contracts'
import { addUsage, noUsage } from '@stateeval/models'
import type { EvaluationContext } from '../context.ts'
import { tallyOf } from '../engine/progress.ts'
import type { Owner } from '../owners/owner.ts'

const most = 1000

/** Remembered by owner: what had ended when it was first looked at, and what was asked here since. */
export function addSpent({ spent }: Pick<EvaluationContext, 'spent'>, { id }: Pick<Owner, 'id'>, usage: Usage): void {
  if (spent.size > most) spent.clear()
  spent.set(id, addUsage(spent.get(id) ?? noUsage, usage))
}

export async function spentBy(context: EvaluationContext, owner: Owner): Promise<Usage> {
  const { requests, promptTokens, completionTokens } = await tallyOf(context, owner)
  const ended = { requests, promptTokens, completionTokens }
  if (!context.spent.has(owner.id)) context.spent.set(owner.id, ended)
  const here = context.spent.get(owner.id) ?? noUsage
  return here.promptTokens + here.completionTokens >= promptTokens + completionTokens && here.requests >= requests ? here : ended
}
