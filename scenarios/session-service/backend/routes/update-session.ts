import { bodyText, documentOf, type Route } from '../context.ts'
import { Data, describe, Empty, Item, reasons } from '../contract.ts'
import { Refusal } from '../errors.ts'
import { sendNothing } from '../reply.ts'
import { sessionType } from '../session-type.ts'

export const updateSession: Route = (app, context) => {
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
      const type = sessionType(params.type)
      const text = bodyText(body)
      // Checks whether the session exists comes before what the body says, but asking costs only where the body
      // is refused.
      const data = await refusedAfter(
        () => documentOf(text, context),
        async () => (await store.get(type, source, id)) !== undefined,
      )
      events.stores?.(data, text.length)
      if (!(await store.update(type, source, id, data))) throw new Refusal(404, 'Session not found')
      events.updated?.(id)
      return sendNothing(reply)
    },
  )
}

async function refusedAfter<T>(read: () => T, exists: () => Promise<boolean>): Promise<T> {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal && !(await exists())) throw new Refusal(404, 'Session not found')
    throw error
  }
}
