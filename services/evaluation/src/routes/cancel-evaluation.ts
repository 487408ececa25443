import type { Route } from '../context.ts'
import { evaluationResource, existingEvaluation } from '../resources.ts'

export const cancelEvaluation: Route<'cancelEvaluation'> = async ({ params: { id } }, context) => {
  await existingEvaluation(context, id)
  await context.owners.end(id, { status: 'cancelled' })
  return { status: 200, body: await evaluationResource(context, await existingEvaluation(context, id)) }
}
