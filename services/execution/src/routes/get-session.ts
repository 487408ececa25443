import type { ExecutionRoute } from '../context.ts'
import { describeSession } from '../sessions/resource.ts'

export const getSession: ExecutionRoute<'getSession'> = async ({ params }, { sessions }) => ({
  status: 200,
  body: describeSession(await sessions.look(params.id)),
})
