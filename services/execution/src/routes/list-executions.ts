import type { Route } from '../context.ts'
import { resource } from '../executions.ts'

export const listExecutions: Route<'listExecutions'> = async (
  { query: { limit = 50, cursor = '' } },
  { store },
) => {
  const found = await store.list(cursor, limit + 1)
  const items = found
    .slice(0, limit)
    .map((stored) =>
      resource(stored, stored.ended ?? 'running', stored.ended === 'succeeded' ? stored.total : 0),
    )
  return { status: 200, body: { items, ...(found.length > limit && { next: items.at(-1)!.id }) } }
}
