/** The schemas that the routes, the OpenAPI document and the tests share. */
import Type, { type TObject } from 'typebox'
import { ErrorBody } from './errors.ts'
import { parameters } from '../documentation/parameters.ts'

const { source, type, id, data, filter } = parameters

export const Collection = Type.Object({ source, type })
export const Item = Type.Object({ source, type, id })

export const Data = data
export const Filter = filter
const Id = Type.Object(
  { id },
  { $id: 'Id', additionalProperties: false, description: 'The id of the session, and nothing else' },
)
const Session = Type.Object(
  { id, data: Data, source: Type.String(), type },
  { $id: 'Session', additionalProperties: false, description: 'A stored session' },
)
export const Sessions = Type.Array(Type.Ref('Session'), {
  description: 'Sessions in the order in which they were added',
})

const path = 'The path contains an empty part, `.`, `..` or a semicolon'
const noDocument = 'the body is not a document, contains an integer of more than 64 bits or a NUL in a name'
/** Descriptions of error responses. An operation has its own where these don't say enough. */
export const reasons = {
  type: 'The type is not one of the eight',
  add: 'The type is not one of the eight, the source has fewer than 3 characters, or the body is missing or can’t be read as a document',
  body: 'The type is not one of the eight, or the body is missing or can’t be read as a document',
  query:
    'The type is not one of the eight; field or value is missing; or field is empty, begins with $ or contains a NUL',
  filter:
    'The type is not one of the eight, or the body is missing, not a document, or a filter with an operator that isn’t allowed',
  path,
  document: `${path}; or ${noDocument}`,
  conflict: `${path}; or ${noDocument}; or another session of this source and type has equal data`,
}
const common: Record<number, string> = {
  400: reasons.type,
  404: 'There is no session of this id, source and type',
  405: 'The path exists, but not for this method',
  406: 'The Accept header excludes JSON; the body is empty',
  413: 'The body is larger than the service takes',
  415: 'The Content-Type can’t be parsed',
  500: reasons.path,
  503: 'The database failed or cannot be reached; try again',
}
const allow = { headers: { Allow: { type: 'string', description: 'The methods of the path' } } }

const createErrorAnswer = (status: number, description = common[status]) => {
  if (status === 406) return { description, type: 'null' }
  return { description, ...(status === 405 ? allow : {}), ...Type.Ref('Error') }
}

interface DescribedOperation {
  operationId: string
  summary: string
  description: string
  params?: TObject
  querystring?: TObject
  body?: TObject
  success: object
  /**
   * Its error statuses, each with its own reason, or null for the common one. Any operation may return 405,
   * 500 and 503.
   */
  errors: Record<number, string | null>
}

/** A route's schema. Bodies are read by the service's own parser, so they are described to readers only. */
export const describe = ({ success, errors, ...rest }: DescribedOperation) => ({
  ...rest,
  tags: ['sessions'],
  response: {
    200: success,
    ...Object.fromEntries(
      Object.entries({ 405: null, 500: null, 503: null, ...errors }).map(([status, reason]) => [
        status,
        createErrorAnswer(Number(status), reason ?? undefined),
      ]),
    ),
  },
})
export const shared = [ErrorBody, Id, Session]
export const Empty = { description: 'Done; the body is empty', type: 'null' }
