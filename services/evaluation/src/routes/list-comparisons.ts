import type { Route } from '../context.ts'

export const listComparisons: Route<'listComparisons'> = async (
  { query: { limit = 50, cursor } },
  context,
) => {
  const found = await context.comparisons.page(cursor, limit + 1)
  const items = found.slice(0, limit).map(({ value }) => value)
  const last = items.at(-1)
  return { status: 200, body: { items, ...(found.length > limit && last && { next: last.id }) } }
}
