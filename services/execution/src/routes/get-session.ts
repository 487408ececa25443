import type { ExecutionRoute } from '../context.ts'
import { sessionResource } from '../sessions/resource.ts'

export const getSession: ExecutionRoute<'getSession'> = async ({ params }, { sessions }) => ({
  status: 200,
  body: sessionResource(await sessions.look(params.id)),
})
