/**
 * What an owner's questions have used so far: the counts of what has ended, on all replicas, or what this process knows of,
 * whichever is more. Requests in flight come on top; a budget is exceeded by these at most.
 */
import type { Usage } from '@stateeval/contracts'
import { addUsage, noUsage } from '@stateeval/models'
import type { EvaluationContext } from '../context.ts'
import { progressOf } from '../workflow.ts'
import { asksOpinions, type Owner, opinionStage } from '../owners/owner.ts'

const most = 1000

/** Of an owner: what had ended when it was first looked at, and what was asked here since. */
interface Known extends Usage {
  /** Questions that were answered here, also from what was kept. */
  answers?: number
  /** Why no further question need be asked. */
  hopeless?: string
  /** Steps whose question the endpoint did not take. */
  refused?: readonly string[]
}
type Books = Pick<EvaluationContext, 'spent'>

/** Second opinions have an account of their own: another model, other prices. */
const accountOf = (owner: Owner) => (asksOpinions(owner) ? `${owner.id}/${opinionStage}` : owner.id)

const knownOf = ({ spent }: Books, id: string): Known => spent.get(id) ?? noUsage
function note({ spent }: Books, id: string, known: Known): void {
  if (spent.size > most) spent.clear()
  spent.set(id, known)
}

/** A question was answered, for this much: nothing where the answer was kept. */
export async function addSpent(context: EvaluationContext, owner: Owner, usage: Usage): Promise<void> {
  await spentBy(context, owner)
  const account = accountOf(owner)
  const known = knownOf(context, account)
  note(context, account, { ...known, ...addUsage(known, usage), answers: (known.answers ?? 0) + 1 })
}

/** What the owner's questions of its stage have used. */
export async function spentBy(context: EvaluationContext, owner: Owner): Promise<Usage> {
  const { requests, promptTokens, completionTokens } = await progressOf(context, owner)
  const ended = { requests, promptTokens, completionTokens }
  const account = accountOf(owner)
  if (!context.spent.has(account)) note(context, account, ended)
  const here = knownOf(context, account)
  return here.promptTokens + here.completionTokens >= promptTokens + completionTokens &&
    here.requests >= requests
    ? here
    : ended
}

/** Whether the endpoint has answered anything for this owner, here or elsewhere, now or in an earlier evaluation. */
export async function wasAnswered(context: EvaluationContext, owner: Owner): Promise<boolean> {
  // Only failed answers have second opinions.
  if (asksOpinions(owner)) return true
  if ((await spentBy(context, owner)).requests > 0 || (knownOf(context, owner.id).answers ?? 0) > 0)
    return true
  // Kept answers cost nothing; what they led to has ended all the same. Builds count no item as not scored.
  const { items, passed, notScored } = await progressOf(context, owner)
  return owner.kind === 'evaluation' ? owner.stage === 'samples' && items > notScored : passed > 0
}

/** Notes that a step's question was not taken, and gives how many were not. */
export function noteRefused(books: Books, { id }: Pick<Owner, 'id'>, step: string): number {
  const known = knownOf(books, id)
  const refused = [...new Set([...(known.refused ?? []), step])]
  note(books, id, { ...known, refused })
  return refused.length
}
export const refusedSoFar = (books: Books, { id }: Pick<Owner, 'id'>) =>
  knownOf(books, id).refused?.length ?? 0

/** Notes why the endpoint can't be asked at all; `whyHopeless` gives that. */
export const noteHopeless = (books: Books, owner: Owner, reason: string) =>
  note(books, accountOf(owner), { ...knownOf(books, accountOf(owner)), hopeless: reason })
export const whyHopeless = (books: Books, owner: Owner) => knownOf(books, accountOf(owner)).hopeless

/** An owner goes on after a stop: what was refused then may be taken now. */
export function forgetRefused({ spent }: Books, id: string): void {
  spent.delete(id)
  spent.delete(`${id}/${opinionStage}`)
}
