import type { TranslationRoute } from './route.ts'
import { fillPage } from '@stateeval/service-kit'
import { toResource } from '../translations.ts'

const together = 8

export const listTranslations: TranslationRoute<'listTranslations'> = async (
  { query: { limit = 50, cursor = '' } },
  { store },
) => {
  // A few at a time: each may have as many instructions as a document holds.
  async function* resources() {
    for (
      let after = cursor, records;
      (records = await store.list(after, together)).length > 0;
      after = records.at(-1)!._id
    )
      yield* records.map(toResource)
  }
  const { items, more } = await fillPage(resources(), limit)
  return { status: 200, body: { items, ...(more && { next: items.at(-1)?.id ?? '' }) } }
}
