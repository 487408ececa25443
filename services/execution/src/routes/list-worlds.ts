import type { Route } from '../context.ts'
import { worldsHere } from '../worlds.ts'

export const listWorlds: Route<'listWorlds'> = async (_request, context) => ({
  status: 200,
  body: { items: worldsHere(context) },
})
