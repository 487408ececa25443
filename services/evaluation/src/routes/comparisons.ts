/** Evaluations of one benchmark, compared. */
import { ProblemError } from '@stateeval/contracts'
import { compareEvaluations, comparisonId } from '../comparisons.ts'
import type { Route } from '../context.ts'
import { pageOf } from '../paging.ts'

export const createComparison: Route<'createComparison'> = async (
  { body: { evaluations, seed = 1 } },
  context,
) => {
  const id = comparisonId(evaluations, seed)
  const known = await context.comparisons.get(id)
  const made = known ?? (await compareEvaluations(context, evaluations, seed))
  if (!known) await context.comparisons.create(id, made)
  return { status: 201, body: made, headers: { location: `/v1/comparisons/${id}` } }
}

export const listComparisons: Route<'listComparisons'> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const found = await context.comparisons.page(cursor, limit + 1)
  const page = pageOf(
    found.map(({ value }) => value),
    limit,
  )
  return { status: 200, body: page }
}

export const getComparison: Route<'getComparison'> = async ({ params: { id } }, context) => {
  const found = await context.comparisons.get(id)
  if (!found)
    throw new ProblemError(
      'not-found',
      `there is no comparison ${JSON.stringify(id)}; GET /v1/comparisons lists those there are`,
    )
  return { status: 200, body: found }
}
