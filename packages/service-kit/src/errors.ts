/**
 * Which errors mean that a required server is unavailable, or its disk is full: answered with 503 or 507, and
 * retried without counting against a job.
 */
import { ProblemError } from '@stateeval/contracts'
import {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'

export { JobRefusal } from './refusal.ts'

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
const isBrokenWrite = (error: unknown) =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'write'

/**
 * Recognises the words of a server whose disk is full or fails. Never match it against an error that may
 * quote a candidate.
 */
export const hasDiskFullWords = (text: string): boolean =>
  /no space left on device|database or disk is full|disk I\/O error|disk quota exceeded/i.test(text)
/** OutOfDiskSpace, and InternalError, which the embedded server gives for what SQLite says. */
const mongoFullCodes = new Set<unknown>([14_031, 1])
const fullDiskCodes = new Set<unknown>(['ENOSPC', 'EDQUOT'])

/** Tells whether the error says that the disk of a server, or of this process, is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof ProblemError) return error.code === 'insufficient-storage'
  if (error instanceof MongoServerError)
    return mongoFullCodes.has(error.code) && hasDiskFullWords(error.message)
  if (!(error instanceof Error)) {
    // One document's error of a bulk write.
    const { code, errmsg } = (error ?? {}) as { code?: unknown; errmsg?: unknown }
    return mongoFullCodes.has(code) && typeof errmsg === 'string' && hasDiskFullWords(errmsg)
  }
  return fullDiskCodes.has((error as NodeJS.ErrnoException).code)
}

/** Tells whether the error says that MongoDB or NATS is unreachable or cannot write: such errors pass. */
export function isAway(error: unknown): boolean {
  if (error instanceof ProblemError) return error.code === 'unavailable' || isDiskFull(error)
  return isBrokenWrite(error) || isDiskFull(error) || mongoAway.some((type) => error instanceof type)
}

export const getErrorText = (error: unknown) => (error instanceof Error ? error.message : String(error))
