/** Refusals, and the error form that upstream answers with: {timestamp, status, error, path}. */
import { STATUS_CODES } from 'node:http'
import Type from 'typebox'

export const ErrorBody = Type.Object(
  {
    timestamp: Type.String({ description: 'When, such as 2026-01-31T08:30:00.000+00:00' }),
    status: Type.Integer(),
    error: Type.String({ description: 'The name of the status, such as Not Found' }),
    path: Type.String({ description: 'The path of the request, as it was sent, without the query' }),
  },
  {
    $id: 'Error',
    additionalProperties: false,
    description: 'The refused request: its status and path, without a message',
  },
)

/** A refusal with a status. The message goes to the log only: the error form has no place for it. */
export class RequestRefusal extends Error {
  override name = 'Refusal'
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** The database failed, or couldn't be reached: 503, and a fault of ours. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  readonly statusCode = 503
  constructor(cause: unknown) {
    super(`the session database failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

// Upstream's words, where they differ from Node's.
const words: Record<number, string> = { 413: 'Payload Too Large' }

export const createErrorBody = (status: number, path: string, now: Date) => ({
  timestamp: now.toISOString().replace('Z', '+00:00'),
  status,
  error: words[status] ?? STATUS_CODES[status] ?? 'Error',
  path,
})
