import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { sweepOwner } from '../engine/sweep.ts'
import { evaluationResource, existingEvaluation } from '../resources.ts'

export const resumeEvaluation: Route<'resumeEvaluation'> = async ({ params: { id } }, context) => {
  const { status, selfCheck, error } = await existingEvaluation(context, id)
  if (selfCheck?.status === 'failed')
    throw new ProblemError('conflict', `the evaluation ${id} can’t go on: ${error ?? 'its set does not pass the self-check'}`)
  if (status === 'succeeded') throw new ProblemError('conflict', `the evaluation ${id} has succeeded; there is nothing left to do`)
  context.bus.check()
  const owner = await context.owners.reopen(id)
  if (owner) await sweepOwner(context, owner, { force: true })
  return {
    status: 202,
    body: await evaluationResource(context, await existingEvaluation(context, id)),
    headers: { location: `/v1/evaluations/${id}` },
  }
}
