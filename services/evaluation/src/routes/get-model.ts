import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { builtIn, endpoint, fromFile, isBuiltIn } from '../models.ts'

export const getModel: Route<'getModel'> = async ({ params: { name } }, { fileModels, models }) => {
  if (isBuiltIn(name)) return { status: 200, body: builtIn(name) }
  const declared = fileModels.get(name)
  if (declared) return { status: 200, body: fromFile(name, declared) }
  const stored = await models.get(name)
  if (!stored)
    throw new ProblemError(
      'not-found',
      `there is no model ${JSON.stringify(name)}; PUT /v1/models/${name} names one`,
    )
  return { status: 200, body: endpoint(name, stored) }
}
