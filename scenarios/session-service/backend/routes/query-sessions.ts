import Type from 'typebox'
import { type RouteInstaller, formatSessions } from '../context.ts'
import { Collection, describe, reasons, Sessions } from '../contract.ts'
import { parameters } from '../../documentation/parameters.ts'
import { RequestRefusal } from '../errors.ts'
import { checkFieldPath, convertOperand } from '../filter/filter.ts'
import { sendJson } from '../reply.ts'
import { parseSessionType } from '../session-type.ts'

const { field, value } = parameters
const Query = Type.Object({ field, value })
/** A parameter that is given several times is joined by commas, as upstream's framework does. */
const readParameter = (query: Record<string, string | string[] | undefined>, name: string) => {
  const value = query[name]
  if (value === undefined) throw new RequestRefusal(400, `the parameter ${name} is missing`)
  return Array.isArray(value) ? value.join(',') : value
}

export const querySessions: RouteInstaller = (app, { store, queryBounds }) => {
  const schema = describe({
    operationId: 'querySessions',
    summary: 'Find sessions by the text of a field',
    description:
      'Sessions of this source and type whose field equals the value, in the order in which they were added. The value is always compared as a text: a number or boolean in data never matches. A list matches where one of its elements equals the value.',
    params: Collection,
    querystring: Query,
    success: Sessions,
    errors: { 400: reasons.query, 406: null },
  })
  app.get<{ Params: { source: string; type: string } }>(
    '/api/sessions/:source/:type/query',
    { schema },
    async ({ params, query }, reply) => {
      const type = parseSessionType(params.type)
      const [fieldName, fieldValue] = ['field', 'value'].map((name) =>
        readParameter(query as Record<string, string | string[] | undefined>, name),
      ) as [string, string]
      const path = checkFieldPath(fieldName)
      // The path's source is set last: a query for another source finds this one's, as upstream does.
      const filter = { [path]: convertOperand(path, fieldValue), source: params.source }
      return sendJson(reply, formatSessions(await store.find(type, filter, queryBounds())))
    },
  )
}
