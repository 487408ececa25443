import type { ExecutionRoute } from '../context.ts'
import { worldsHere } from '../worlds.ts'

export const listWorlds: ExecutionRoute<'listWorlds'> = async (_request, context) => ({
  status: 200,
  body: { items: worldsHere(context) },
})
