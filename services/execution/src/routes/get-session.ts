import type { Route } from '../context.ts'
import { sessionResource } from '../sessions/resource.ts'

export const getSession: Route<'getSession'> = async ({ params }, { sessions }) => ({
  status: 200,
  body: sessionResource(await sessions.look(params.id)),
})
