import type { Route } from '../context.ts'
import { describe, Empty, Item } from '../contract.ts'
import { Refusal } from '../errors.ts'
import { sendNothing } from '../reply.ts'
import { sessionType } from '../session-type.ts'

export const deleteSession: Route = (app, { store, events }) => {
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
      const session = await store.remove(sessionType(params.type), params.source, params.id)
      if (!session) throw new Refusal(404, 'Session not found')
      events.removed?.(session)
      return sendNothing(reply)
    },
  )
}
