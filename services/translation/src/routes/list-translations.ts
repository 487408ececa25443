import type { Route } from '../context.ts'
import { toResource } from '../translations.ts'

export const listTranslations: Route<'listTranslations'> = async ({ query: { limit = 50, cursor = '' } }, { store }) => {
  const found = await store.list(cursor, limit + 1)
  const items = found.slice(0, limit).map(toResource)
  return { status: 200, body: { items, ...(found.length > limit && { next: items.at(-1)?.id ?? '' }) } }
}
