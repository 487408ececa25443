/**
 * An operation of a service: the contract that route, OpenAPI entry, client method and test all take from here.
 * The operationId is the key in the service's table and the name of its route file.
 */
import Type, { type TSchema } from 'typebox'

/** A body of bytes, for application/octet-stream. */
export const Bytes = Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' })

/** A success answer; one without a content type is JSON. */
export interface Answer {
  description: string
  schema: TSchema | null
  contentType?: string
  /** An example of the body, from a run where it could be; JSON has one, which is checked against the schema in tests. */
  example?: unknown
}

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify style: /v1/things/:id */
  path: string
  summary: string
  description: string
  tag: string
  params?: TSchema
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** The largest body, in bytes, where it is not the service's default. */
  bodyLimit?: number
  /** Success answers by status; a null body is an empty one. */
  success: Partial<Record<200 | 201 | 202 | 204, Answer>>
  /** Error statuses, each answered as problem+json. 500 and 503 are added to every operation. */
  errors: readonly (400 | 404 | 405 | 409 | 413 | 415 | 422 | 429)[]
  /** An example request body, which each operation with a body has; checked against the schema in tests. */
  example?: unknown
}
export type Operations = Record<string, Operation>
/** Keeps literal types while checking the shape. */
export const defineOperations = <const T extends Operations>(operations: T): T => operations
