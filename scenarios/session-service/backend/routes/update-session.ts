import { readBodyText, parseBodyDocument, type RouteInstaller } from '../context.ts'
import { Data, describe, Empty, Item, reasons } from '../contract.ts'
import { RequestRefusal } from '../errors.ts'
import { sendNothing } from '../reply.ts'
import { parseSessionType } from '../session-type.ts'

export const updateSession: RouteInstaller = (app, context) => {
  const { store, events } = context
  const schema = describe({
    operationId: 'updateSession',
    summary: 'Replace the data of a session',
    description:
      'Replaces the whole data of the session by the body; id, source and type stay. The response is 200 with an empty body. The service refuses it with 500 and changes nothing if another session of this source and type already has equal data.',
    params: Item,
    body: Data,
    success: Empty,
    errors: { 400: reasons.body, 404: null, 413: null, 415: null, 500: reasons.conflict },
  })
  app.put<{ Params: { source: string; type: string; id: string } }>(
    '/api/sessions/:source/:type/:id',
    { schema },
    async ({ params: { source, id, ...params }, body }, reply) => {
      const type = parseSessionType(params.type)
      const text = readBodyText(body)
      // The existence of the session comes before faults of the body, but checking it costs only where the
      // body is refused.
      const data = await refuseAfterReading(
        () => parseBodyDocument(text, context),
        async () => (await store.get(type, source, id)) !== undefined,
      )
      events.stores?.(data, text.length)
      if (!(await store.update(type, source, id, data))) throw new RequestRefusal(404, 'Session not found')
      events.updated?.(id)
      return sendNothing(reply)
    },
  )
}

async function refuseAfterReading<T>(read: () => T, exists: () => Promise<boolean>): Promise<T> {
  try {
    return read()
  } catch (error) {
    if (error instanceof RequestRefusal && !(await exists()))
      throw new RequestRefusal(404, 'Session not found')
    throw error
  }
}
