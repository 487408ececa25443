import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { existing } from '../existing.ts'

export const listGenerationPrograms: Route<'listGenerationPrograms'> = async (
  { params, query: { limit = 50, cursor = '0' } },
  { store },
) => {
  if (!/^\d{1,6}$/.test(cursor)) throw new ProblemError('validation-failed', 'cursor must be the `next` of the page before', 'cursor')
  const { progress } = await existing(store, params.id)
  const from = Number(cursor)
  const to = Math.min(from + limit, progress.done)
  const items = from < to ? await store.programs(params.id, from, to) : []
  return { status: 200, body: { items, ...(to < progress.done && { next: String(to) }) } }
}
