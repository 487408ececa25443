import type { TraceRoute } from './route.ts'
import { requireGeneration } from '../existing.ts'
import { toResource } from '../generations.ts'

export const getGeneration: TraceRoute<'getGeneration'> = async ({ params }, { store }) => ({
  status: 200,
  body: toResource(await requireGeneration(store, params.id)),
})
