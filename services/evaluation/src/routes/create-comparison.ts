import type { Route } from '../context.ts'
import { compareEvaluations, comparisonId } from '../comparisons.ts'

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
