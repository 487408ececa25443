import type { ExecutionRoute } from '../context.ts'
import { summarizeWorlds } from '../worlds.ts'

export const listWorlds: ExecutionRoute<'listWorlds'> = async (_request, context) => ({
  status: 200,
  body: { items: summarizeWorlds(context) },
})
