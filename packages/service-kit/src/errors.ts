/** Which errors mean that a server which we need is away: answered with 503, and retried without counting against a job. */
import { ProblemError } from '@stateeval/contracts'
import {
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'

/** A job's payload can never succeed, whatever the retries: stored and answered, not tried again. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

const mongoAway = [MongoServerSelectionError, MongoNetworkError, MongoNotConnectedError, MongoTopologyClosedError, MongoClientClosedError]

/** True where the error says that MongoDB or NATS can't be reached. */
export function isAway(error: unknown): boolean {
  if (error instanceof ProblemError) return error.code === 'unavailable'
  return mongoAway.some((type) => error instanceof type)
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
