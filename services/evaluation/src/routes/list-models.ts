import { builtInModels } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { builtIn, endpoint, fromFile } from '../models.ts'

export const listModels: Route<'listModels'> = async (
  { query: { limit = 50, cursor } },
  { fileModels, models },
) => {
  const found = await models.page(cursor, limit + 1)
  const named = found
    .slice(0, limit)
    .filter(({ id }) => !fileModels.has(id))
    .map(({ id, value }) => endpoint(id, value))
  const items =
    cursor === undefined
      ? [
          ...builtInModels.map(builtIn),
          ...[...fileModels].map(([name, settings]) => fromFile(name, settings)),
          ...named,
        ]
      : named
  return { status: 200, body: { items, ...(found.length > limit && { next: found[limit - 1]?.id ?? '' }) } }
}
