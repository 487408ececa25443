import { bodyText, documentOf, type Route, sessionsJson } from '../context.ts'
import { Collection, describe, Filter, reasons, Sessions } from '../contract.ts'
import type { Fresh } from '../document/parse.ts'
import { Refusal } from '../errors.ts'
import { toQuery } from '../filter/filter.ts'
import { sendJson } from '../reply.ts'
import { sessionType } from '../session-type.ts'

export const fetchSessions: Route = (app, context) => {
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
      const type = sessionType(params.type)
      const bounds = queryBounds()
      const query = toQuery(filterOf(bodyText(body), context), params.source, bounds.filterWeight)
      return sendJson(reply, sessionsJson(await store.find(type, query, bounds)))
    },
  )
}

/** Unlike in a stored document, whatever is wrong with a filter is 400. */
function filterOf(text: string, fresh: Fresh) {
  try {
    return documentOf(text, fresh)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(400, error.message) : error
  }
}
