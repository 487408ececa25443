/** The schemas that the routes, the OpenAPI document and the tests share. */
import Type, { type TObject } from 'typebox'
import { ErrorBody } from './errors.ts'
import { sessionTypes } from './session-types.ts'

const source = Type.String({
  description: 'Who the session belongs to. At least 3 characters when a session is added',
  examples: ['portal'],
})
const type = Type.Enum([...sessionTypes], { description: 'The type of the session', examples: ['settings'] })
const id = Type.String({ description: 'The id that the service gave', examples: ['700000000000000000000001'] })

export const Collection = Type.Object({ source, type })
export const Item = Type.Object({ source, type, id })

export const Data = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'The session’s data: any object',
    examples: [{ title: 'Lung study', filters: { stage: ['II', 'III'] } }],
  },
)
export const Id = Type.Object({ id }, { $id: 'Id', additionalProperties: false, description: 'The id of the session, and nothing else' })
export const Session = Type.Object(
  { id, data: Data, source: Type.String(), type },
  { $id: 'Session', additionalProperties: false, description: 'A stored session' },
)
export const Sessions = Type.Array(Type.Ref('Session'), { description: 'Sessions in the order in which they were added' })

const reasons: Record<number, string> = {
  400: 'The type is none of the eight, the body is missing or no document text, or a parameter is missing or malformed',
  404: 'There is no such session of this source and type',
  405: 'The path exists, but not for this method; the Allow header lists its methods',
  406: 'The Accept header excludes JSON',
  413: 'The body is larger than the service takes',
  415: 'The Content-Type can’t be parsed',
  500: 'The body is not a document at its top level, holds an integer of more than 64 bits or a NUL in a name; the path holds an empty part, `.`, `..` or a semicolon; or an update would make two sessions of one source and type equal',
  503: 'The database can’t be reached or failed; try again',
}

/** The error answers of an operation. 405 belongs to paths, not to operations, and is described on each. */
const errors = (...statuses: number[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      status === 406 ? { description: reasons[406], type: 'null' } : { description: reasons[status], ...Type.Ref('Error') },
    ]),
  )

interface Described {
  operationId: string
  summary: string
  description: string
  params?: TObject
  querystring?: TObject
  success: object
  errors: number[]
  body?: boolean
}

/** A route's schema. Bodies are read by the service's own parser, so they are described to readers only. */
export const describe = ({ success, errors: statuses, body, ...rest }: Described) => ({
  ...rest,
  tags: ['sessions'],
  ...(body ? { consumes: ['application/json'], body: Data } : {}),
  response: { 200: success, ...errors(...statuses) },
})
export const shared = [ErrorBody, Id, Session]
export const Empty = { description: 'Done; the body is empty', type: 'null' }
