import type { ExecutionRoute } from '../context.ts'
import { describeSession } from '../sessions/resource.ts'
import { sessionPrefix } from '../sessions/store.ts'

export const openSession: ExecutionRoute<'openSession'> = async (
  { body, idempotencyKey },
  { sessions, newId },
) => {
  const view = await sessions.open(newId(sessionPrefix, idempotencyKey), body)
  return {
    status: 201,
    body: describeSession(view),
    headers: { location: `/v1/sessions/${view.session._id}` },
  }
}
