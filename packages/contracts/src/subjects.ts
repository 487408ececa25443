/**
 * NATS subjects and messages. The stream JOBS (work queue) carries work, EVENTS (limits) carries events,
 * and DEAD carries failed jobs with their error. STATEEVAL_NAMESPACE is a prefix of all of them.
 */
import type { JsonValue } from './basics/json.ts'

export const streams = { jobs: 'JOBS', events: 'EVENTS', dead: 'DEAD' } as const

/** Every queue subject of the suite; each has one durable pull consumer. */
export const subjects = {
  generate: 'jobs.trace-generation.generate',
  translate: 'jobs.translation.translate',
  execute: 'jobs.execution.execute',
  /**
   * Programs that callers over HTTP don’t wait for: a separate queue, so that no other caller's wait behind
   * thousands of them.
   */
  executeAsked: 'jobs.execution.asked',
  /** Both kinds of programs whose world has tensors: replicas with a GPU take no others. */
  tensors: 'jobs.execution.tensors',
  tensorsAsked: 'jobs.execution.tensors-asked',
  /** Tool sessions: opened, called, closed. */
  session: 'jobs.execution.session',
  score: 'jobs.scoring.score',
  step: 'jobs.evaluation.step',
  ask: 'jobs.evaluation.ask',
  /** An attempt to deliver an event to a webhook. */
  deliver: 'jobs.evaluation.deliver',
} as const
export type JobSubject = (typeof subjects)[keyof typeof subjects]

/** Questions between services that are answered immediately or not at all; nothing is queued or stored. */
export const questions = {
  /** Which languages programs can be run in, by world: `WorldSummary[]`. */
  worlds: 'ask.execution.worlds',
  /** Which tensor providers cannot be used where programs with tensors run: `MissingProviders`. */
  providers: 'ask.execution.providers',
} as const
/** The status of a replica and the queues that it works on; every replica of a service is asked at once. */
export const buildRollCall = (service: string): RollCallSubject => `ask.${service}.state`
export type RollCallSubject = `ask.${string}.state`
export type QuestionSubject = (typeof questions)[keyof typeof questions]

/** A job's payload: within the message, or an artifact if it is too large for a message. */
export type JobPayload = { inline: JsonValue } | { artifact: string }
/**
 * A value that may be too large for one text: an object or a list whose members are each stored as soon as
 * they exist. `bytes` is the size of a member as JSON.
 */
export type PayloadParts =
  | JobPayload
  | { artifact: string; bytes: number }
  | { list: PayloadParts[] }
  | { object: { [name: string]: PayloadParts } }

/**
 * The newest version of queue messages. It is raised if an earlier replica could misread a message. A
 * service leaves newer messages on the queue for a replica that knows them, and reads every older version.
 */
export const messageVersion = 4

/**
 * The version that a message is sent as: the oldest that reads it rightly, so that replicas of before work
 * on during an update. 2 came with projects: a replica that knows none would do another project's job among
 * the default one's documents. 3 came with answers to an inbox: a replica of before would drop such a job.
 * 4 came with states of dialogues that hold events: who sends such a state names it as `least`.
 */
export const chooseMessageVersion = (project: string | undefined, toInbox: boolean, least = 1): number =>
  Math.max(least, toInbox ? 3 : project === undefined ? 1 : 2)

/**
 * The destination of a job's outcome: a queue, where any replica of the asker takes it; or the waiting
 * process, which asks again if it gets nothing. `carried` belongs to the asker and returns with the answer,
 * whose message has at least `version`, which can read it.
 */
export type ReplyTo =
  | { subject: JobSubject; correlation: string; carried?: JobPayload; version?: number }
  | { inbox: string; correlation: string }

/** The name of an inbox: the service, and a random part per process. */
export const inboxPattern = /^[a-z-]{1,40}\.[0-9a-f]{1,40}$/

/**
 * The message of a queue subject. The id is deterministic: equal work has the same id, so a redelivered or
 * republished job is recognised. With `replyTo`, the finished job's outcome is published there as a
 * JobReply.
 */
export interface JobMessage {
  /** The version of its reader; absent: 1. */
  version?: number
  id: string
  /** The project it is for. Absent: the default one, also in messages from before there were projects. */
  project?: string
  payload: JobPayload
  replyTo?: ReplyTo
  /**
   * Which dead letter it was made from again; its failure is forgotten once, and it has all its attempts
   * anew.
   */
  redrive?: string
  /** It only shows that the queue works: whoever takes it answers and does nothing. */
  probe?: true
  /** True if it is derived from a sealed seed: what it stores is encrypted. */
  sealed?: boolean
}

/** A failed job in the stream DEAD. */
export interface DeadLetterMessage extends JobMessage {
  subject: JobSubject
  /** The error of the last attempt. */
  error: string
  attempts: number
}

/**
 * How a job ended: a value, a refusal that no retry would change (bad payload), or a failure after all
 * retries.
 */
export type JobOutcome =
  | { status: 'done'; value: PayloadParts }
  | { status: 'refused' | 'failed'; reason: string }

/** The payload of a job whose subject was another job's replyTo, or of a message to an inbox. */
export interface JobReply {
  correlation: string
  jobId: string
  outcome: JobOutcome
  carried?: JobPayload
}

/** Larger payloads are stored as artifacts and passed by hash. */
export const maxInlineBytes = 200_000
