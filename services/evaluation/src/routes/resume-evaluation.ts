import { type Budget, ProblemError } from '@stateeval/contracts'
import { overBudget } from '@stateeval/models'
import { spentBy } from '../asking/ledger.ts'
import { checkBudget } from '../choose-model.ts'
import type { EvaluationContext, Route } from '../context.ts'
import { sweepOwner } from '../engine/sweep.ts'
import type { EvaluationOwner } from '../owners/owner.ts'
import { evaluationResource, existingEvaluation } from '../resources.ts'

export const resumeEvaluation: Route<'resumeEvaluation'> = async ({ params: { id }, body: { budget } }, context) => {
  const found = await existingEvaluation(context, id)
  const { status, selfCheck, error } = found
  if (selfCheck?.status === 'failed')
    throw new ProblemError('conflict', `the evaluation ${id} can’t go on: ${error ?? 'its set does not pass the self-check'}`)
  if (status === 'succeeded') throw new ProblemError('conflict', `the evaluation ${id} has succeeded; there is nothing left to do`)
  await checkMeans(context, found, budget)
  context.bus.check()
  const owner = await context.owners.reopen(id, budget && { budget })
  if (owner) await sweepOwner(context, owner, { force: true })
  return {
    status: 202,
    body: await evaluationResource(context, await existingEvaluation(context, id)),
    headers: { location: `/v1/evaluations/${id}` },
  }
}

/** An evaluation that would stop at once again is not resumed. */
async function checkMeans(context: EvaluationContext, owner: EvaluationOwner, raised: Budget | undefined): Promise<void> {
  if (owner.model.kind !== 'endpoint' || owner.model.recording) return
  const { settings, name } = owner.model
  const budget = raised ?? owner.budget
  checkBudget(raised, settings)
  const over = budget ? overBudget(budget, await spentBy(context, owner), settings.prices) : null
  if (over !== null) throw new ProblemError('unprocessable', `${over}; resume it with a larger one`, '/budget')
  const why = await context.modelClient.check(settings)
  if (why !== null) throw new ProblemError('unprocessable', `the model ${name} can’t be asked: ${why}`)
}
