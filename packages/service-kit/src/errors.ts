/**
 * Which errors mean that a required server is unavailable: answered with 503, and retried without counting
 * against a job.
 */
import { ProblemError } from '@stateeval/contracts'
import {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'

export { Refusal } from './refusal.ts'

/** The caller has disconnected; the reason of a request's aborted signal. */
export class CallerLeft extends Error {
  override readonly name = 'CallerLeft'
  constructor() {
    super('the caller disconnected before the response was complete')
  }
}

const mongoAway = [
  MongoServerSelectionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
]

// A connection that ends while a command is written comes through as the system's own error, not as the
// driver's.
const brokenWrite = (error: unknown) =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'write'

/** Whether the error says that MongoDB or NATS is unreachable. */
export function isAway(error: unknown): boolean {
  if (error instanceof ProblemError) return error.code === 'unavailable'
  return brokenWrite(error) || mongoAway.some((type) => error instanceof type)
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
