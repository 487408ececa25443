import type { RouteInstaller } from '../context.ts'
import { describe, Empty, Item } from '../contract.ts'
import { RequestRefusal } from '../errors.ts'
import { sendNothing } from '../reply.ts'
import { parseSessionType } from '../session-type.ts'

export const deleteSession: RouteInstaller = (app, { store, events }) => {
  const schema = describe({
    operationId: 'deleteSession',
    summary: 'Delete a session',
    description:
      'Deletes the session; its id is never reused. The response is 200 with an empty body. Deleting it again returns 404.',
    params: Item,
    success: Empty,
    errors: { 400: null, 404: null },
  })
  app.delete<{ Params: { source: string; type: string; id: string } }>(
    '/api/sessions/:source/:type/:id',
    { schema },
    async ({ params }, reply) => {
      const session = await store.remove(parseSessionType(params.type), params.source, params.id)
      if (!session) throw new RequestRefusal(404, 'Session not found')
      events.removed?.(session)
      return sendNothing(reply)
    },
  )
}
