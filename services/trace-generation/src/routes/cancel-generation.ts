import type { Route } from '../context.ts'
import { existing } from '../existing.ts'
import { toResource } from '../generations.ts'

export const cancelGeneration: Route<'cancelGeneration'> = async ({ params }, { store, now }) => {
  await existing(store, params.id)
  // A running job sees this before its next block of programs.
  await store.update(params.id, { status: 'cancelled', finishedAt: now() })
  return { status: 200, body: toResource(await existing(store, params.id)) }
}
