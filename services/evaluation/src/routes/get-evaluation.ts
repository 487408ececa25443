import type { Route } from '../context.ts'
import { evaluationResource, existingEvaluation } from '../resources.ts'

export const getEvaluation: Route<'getEvaluation'> = async ({ params }, context) => ({
  status: 200,
  body: await evaluationResource(context, await existingEvaluation(context, params.id)),
})
