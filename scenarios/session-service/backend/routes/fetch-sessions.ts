import { readBodyText, parseBodyDocument, type RouteInstaller, formatSessions } from '../context.ts'
import { Collection, describe, Filter, reasons, Sessions } from '../contract.ts'
import type { FreshValues } from '../document/parse.ts'
import { RequestRefusal } from '../errors.ts'
import { toQuery } from '../filter/filter.ts'
import { sendJson } from '../reply.ts'
import { parseSessionType } from '../session-type.ts'

export const fetchSessions: RouteInstaller = (app, context) => {
  const { store, queryBounds } = context
  const schema = describe({
    operationId: 'fetchSessions',
    summary: 'Find sessions by a filter',
    description:
      'Sessions of this source and type that match the filter in the body, in the order in which they were added. A filter is a document of paths and values, such as {"data.age": {"$gt": 30}}; allowed operators are $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $exists, $type, $regex, $options, $size, $all, $mod, $not, $elemMatch, $and, $or and $nor. An empty document matches all.',
    params: Collection,
    body: Filter,
    success: Sessions,
    errors: { 400: reasons.filter, 406: null, 413: null, 415: null },
  })
  app.post<{ Params: { source: string; type: string } }>(
    '/api/sessions/:source/:type/query/fetch',
    { schema },
    async ({ params, body }, reply) => {
      const type = parseSessionType(params.type)
      const bounds = queryBounds()
      const query = toQuery(parseFilter(readBodyText(body), context), params.source, bounds.filter)
      return sendJson(reply, formatSessions(await store.find(type, query, bounds)))
    },
  )
}

/** Unlike in a stored document, whatever is wrong with a filter is 400. */
function parseFilter(text: string, fresh: FreshValues) {
  try {
    return parseBodyDocument(text, fresh)
  } catch (error) {
    throw error instanceof RequestRefusal ? new RequestRefusal(400, error.message) : error
  }
}
