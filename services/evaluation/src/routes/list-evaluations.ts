import type { Route } from '../context.ts'
import { evaluationResource } from '../resources.ts'

export const listEvaluations: Route<'listEvaluations'> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const found = await context.owners.page('evaluation', cursor, limit + 1)
  const items = await Promise.all(found.slice(0, limit).map((owner) => evaluationResource(context, owner)))
  const last = items.at(-1)
  return { status: 200, body: { items, ...(found.length > limit && last && { next: last.id }) } }
}
