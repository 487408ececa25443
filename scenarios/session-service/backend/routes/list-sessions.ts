import { type RouteInstaller, formatSessions } from '../context.ts'
import { Collection, describe, Sessions } from '../contract.ts'
import { sendJson } from '../reply.ts'
import { parseSessionType } from '../session-type.ts'

export const listSessions: RouteInstaller = (app, { store, queryBounds }) => {
  const schema = describe({
    operationId: 'listSessions',
    summary: 'List all sessions of a source and type',
    description:
      'All sessions of this source and type, in the order in which they were added; an empty list if there are none, even for an unknown source.',
    params: Collection,
    success: Sessions,
    errors: { 400: null, 406: null },
  })
  app.get<{ Params: { source: string; type: string } }>(
    '/api/sessions/:source/:type',
    { schema },
    async ({ params }, reply) =>
      sendJson(
        reply,
        formatSessions(await store.list(parseSessionType(params.type), params.source, queryBounds().signal)),
      ),
  )
}
