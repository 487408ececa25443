import type { TraceRoute } from './route.ts'
import { requireGeneration } from '../existing.ts'
import { toResource } from '../generations.ts'

export const cancelGeneration: TraceRoute<'cancelGeneration'> = async ({ params }, { store, now }) => {
  const { progress } = await requireGeneration(store, params.id)
  // A running job sees this within a second.
  await store.end(params.id, { status: 'cancelled', done: progress.done, finishedAt: now() })
  return { status: 200, body: toResource(await requireGeneration(store, params.id)) }
}
