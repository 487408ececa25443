import Type from 'typebox'
import { type RouteInstaller, formatSession } from '../context.ts'
import { describe, Item } from '../contract.ts'
import { RequestRefusal } from '../errors.ts'
import { sendJson } from '../reply.ts'
import { parseSessionType } from '../session-type.ts'

export const getSession: RouteInstaller = (app, { store }) => {
  const schema = describe({
    operationId: 'getSession',
    summary: 'Get a session by its id',
    description: 'The session with this id, which is found only with its own source and type.',
    params: Item,
    success: { description: 'The session', ...Type.Ref('Session') },
    errors: { 400: null, 404: null, 406: null },
  })
  app.get<{ Params: { source: string; type: string; id: string } }>(
    '/api/sessions/:source/:type/:id',
    { schema },
    async ({ params }, reply) => {
      const session = await store.get(parseSessionType(params.type), params.source, params.id)
      if (!session) throw new RequestRefusal(404, 'Session not found')
      return sendJson(reply, formatSession(session))
    },
  )
}
