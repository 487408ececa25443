import Type from 'typebox'
import { readBodyText, parseBodyDocument, type RouteInstaller } from '../context.ts'
import { Collection, Data, describe, reasons } from '../contract.ts'
import { RequestRefusal } from '../errors.ts'
import { sendJson } from '../reply.ts'
import { parseSessionType } from '../session-type.ts'

const MIN_SOURCE = 3

export const addSession: RouteInstaller = (app, context) => {
  const { store, events } = context
  const schema = describe({
    operationId: 'addSession',
    summary: 'Add a session',
    description:
      'Stores the body as a new session and returns only its id. Where this source and type already have a session of equal data (same names in the same order, same values; a number equals a text of the same spelling), nothing is stored and the id of that session is returned. The status is 200 in both cases.',
    params: Collection,
    body: Data,
    success: { description: 'The id of the session, new or found', ...Type.Ref('Id') },
    errors: { 400: reasons.add, 406: null, 413: null, 415: null, 500: reasons.document },
  })
  app.post<{ Params: { source: string; type: string } }>(
    '/api/sessions/:source/:type',
    { schema },
    async ({ params: { source, ...params }, body }, reply) => {
      const type = parseSessionType(params.type)
      const text = readBodyText(body)
      const data = parseBodyDocument(text, context)
      if (source.length < MIN_SOURCE)
        throw new RequestRefusal(400, `source has a minimum length of ${MIN_SOURCE};`)
      events.stores?.(data, text.length)
      const { id, added } = await store.add(source, type, data)
      if (added) events.added?.(id)
      return sendJson(reply, `{"id":"${id}"}`)
    },
  )
}
