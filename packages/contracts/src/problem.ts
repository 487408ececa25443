/**
 * The only table of error codes. A problem's `type` is stable; services answer application/problem+json
 * (RFC 9457) with the faulty field and a remedy.
 */
import Type, { type Static } from 'typebox'

export const problems = {
  'validation-failed': { status: 400, title: 'The request does not fit the contract' },
  'malformed-body': { status: 400, title: 'The body is not valid JSON' },
  'malformed-request': { status: 400, title: 'The request is not valid HTTP' },
  unauthenticated: { status: 401, title: 'The request has no valid credentials' },
  forbidden: { status: 403, title: 'The caller lacks the permission' },
  'budget-exhausted': { status: 403, title: 'The project’s budget for this period is used up' },
  'not-found': { status: 404, title: 'The resource does not exist' },
  'method-not-allowed': { status: 405, title: 'The resource does not support this method' },
  'not-acceptable': { status: 406, title: 'The request does not accept the response’s content type' },
  timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The request conflicts with the resource’s state' },
  'payload-too-large': { status: 413, title: 'The body is larger than the limit' },
  'unsupported-media-type': { status: 415, title: 'The resource does not support the body’s content type' },
  unprocessable: { status: 422, title: 'The request is valid but cannot be carried out' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request’s headers are too large' },
  internal: { status: 500, title: 'An internal error; the log has it under the request id' },
  unavailable: { status: 503, title: 'A server that this service needs is unavailable' },
  'insufficient-storage': { status: 507, title: 'The disk of a server is full' },
} as const
export type ProblemCode = keyof typeof problems

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Stable: urn:stateeval:problem:<code>' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What happened, and what to do' }),
    field: Type.Optional(Type.String({ description: 'JSON pointer or name of the field at fault' })),
    requestId: Type.Optional(Type.String()),
  },
  { $id: 'Problem', additionalProperties: false },
)
export type Problem = Static<typeof Problem>

/** An error that becomes a problem response. Only handlers and domain code at the edge throw it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: ProblemCode
  readonly field: string | undefined
  /** When it may be tried again, in seconds. */
  readonly retryAfter: number | undefined
  constructor(code: ProblemCode, detail: string, field?: string, retryAfter?: number) {
    super(detail)
    this.code = code
    this.field = field
    this.retryAfter = retryAfter
  }
}
export const formatProblemType = (code: ProblemCode) => `urn:stateeval:problem:${code}`
