/**
 * An operation of a service: the single source for route, OpenAPI entry, client method and test. The
 * operationId is the key in the service's table and the name of its route file.
 */
import Type, { type TSchema } from 'typebox'
import type { Scope } from './access.ts'

/** A body of bytes, for application/octet-stream. */
export const Bytes = Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' })

/** Server-sent events: OpenAPI 3.1 cannot describe their content. */
export const Events = Type.Unknown()

/** A success response; without a content type it is JSON. */
export interface HttpAnswer {
  description: string
  schema: TSchema | null
  contentType?: string
  /** Further content types that the same answer comes in, where the caller wants one. */
  otherTypes?: readonly string[]
  /**
   * An example of the body, from a run where it could be; JSON has one, which is checked against the schema
   * in tests.
   */
  example?: unknown
}

export interface HttpOperation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify style: /v1/things/:id */
  path: string
  /** The scope that a caller needs. */
  scope: Scope
  summary: string
  description: string
  tag: string
  params?: TSchema
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** The largest body, in bytes, where it is not the service's default. */
  bodyLimit?: number
  /** Values and names of members that the body may have, where it is not the usual number. */
  bodyParts?: number
  /** It begins work that uses the project’s budget: refused while that is exhausted. */
  work?: true
  /** Its answer holds a secret that is shown once: nothing keeps it, so an Idempotency-Key is not taken. */
  secret?: true
  /** It changes nothing, and leaves an entry in the audit log all the same: it hands out a whole project. */
  audited?: true
  /**
   * Its answer has an ETag, and is 304 to a caller who has it: `immutable` never changes, `revalidated` is
   * asked for each time.
   */
  etag?: 'immutable' | 'revalidated'
  /** Success answers by status; a null body is an empty one. */
  success: Partial<Record<200 | 201 | 202 | 204, HttpAnswer>>
  /**
   * Error statuses, each answered as problem+json. `listErrorStatuses` adds those that any request may be
   * answered with.
   */
  errors: readonly (400 | 404 | 409 | 413 | 415 | 422 | 429)[]
  /** An example request body, which each operation with a body has; checked against the schema in tests. */
  example?: unknown
}
export type HttpOperations = Record<string, HttpOperation>
/** Keeps literal types while checking the shape. */
export const defineOperations = <const T extends HttpOperations>(operations: T): T => operations

/** Tells whether a request leaves an entry in the audit log: every request that may change something does. */
export const isAudited = ({ method, audited }: HttpOperation): boolean => method !== 'GET' || audited === true

/**
 * Tells whether an operation creates something. Such a request may have an Idempotency-Key, and a repetition
 * with the same key gets the same response.
 */
export const isCreating = ({ method, success, secret }: HttpOperation): boolean =>
  !secret && method === 'POST' && (success[201] !== undefined || success[202] !== undefined)

/**
 * All error statuses of an operation: its own, and those of invalid requests, Idempotency-Keys, the
 * project's limits, and the service's faults.
 */
export function listErrorStatuses(operation: HttpOperation): number[] {
  const { errors, body, success } = operation
  const hasContent = Object.values(success).some(({ schema }) => schema !== null)
  const statuses = new Set<number>([
    ...errors,
    400,
    401,
    403,
    405,
    ...(hasContent ? [406] : []),
    ...(body ? [408, 413, 415] : []),
    ...(isCreating(operation) ? [409, 422] : []),
    // A project can have a limit of requests.
    429,
    431,
    500,
    503,
    // Reading stores something, too: a session's last use, a block of tasks.
    507,
  ])
  return [...statuses].sort((a, b) => a - b)
}
