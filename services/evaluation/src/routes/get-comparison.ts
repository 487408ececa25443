import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'

export const getComparison: Route<'getComparison'> = async ({ params: { id } }, context) => {
  const found = await context.comparisons.get(id)
  if (!found)
    throw new ProblemError(
      'not-found',
      `there is no comparison ${JSON.stringify(id)}; GET /v1/comparisons lists those there are`,
    )
  return { status: 200, body: found }
}
