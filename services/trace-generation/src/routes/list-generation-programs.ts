import type { TraceRoute } from './route.ts'
import { requireGeneration } from '../existing.ts'
import { blockSize } from '../store.ts'

export const listGenerationPrograms: TraceRoute<'listGenerationPrograms'> = async (
  { params, query: { limit = 50, cursor = '0' } },
  { store },
) => {
  const { status, progress } = await requireGeneration(store, params.id)
  // Full blocks are there as soon as they are made, the last one at the end.
  const there = status === 'succeeded' ? progress.done : progress.done - (progress.done % blockSize)
  const from = Number(cursor)
  const to = Math.min(from + limit, there)
  const items = from < to ? await store.programs(params.id, from, to) : []
  return { status: 200, body: { items, ...(to < there && { next: String(to) }) } }
}
