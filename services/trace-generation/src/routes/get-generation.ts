import type { Route } from './route.ts'
import { existing } from '../existing.ts'
import { toResource } from '../generations.ts'

export const getGeneration: Route<'getGeneration'> = async ({ params }, { store }) => ({
  status: 200,
  body: toResource(await existing(store, params.id)),
})
