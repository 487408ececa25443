/**
 * NATS subjects and messages. Work goes through the stream JOBS (work queue), what happened through EVENTS
 * (limits), what failed for good through DEAD with its error. STATEEVAL_NAMESPACE prefixes all of them.
 */
import type { Json } from './basics/json.ts'

export const streams = { jobs: 'JOBS', events: 'EVENTS', dead: 'DEAD' } as const

/** Every queue subject of the suite: one durable pull consumer each. */
export const subjects = {
  generate: 'jobs.trace-generation.generate',
  translate: 'jobs.translation.translate',
  execute: 'jobs.execution.execute',
  /**
   * Programs that callers over HTTP don’t wait for: a queue of their own, so that nobody else’s stand behind
   * thousands of them.
   */
  executeAsked: 'jobs.execution.asked',
  /** Tool sessions: opened, called, closed. */
  session: 'jobs.execution.session',
  score: 'jobs.scoring.score',
  step: 'jobs.evaluation.step',
  ask: 'jobs.evaluation.ask',
  /** An attempt to deliver an event to a webhook. */
  deliver: 'jobs.evaluation.deliver',
} as const
export type JobSubject = (typeof subjects)[keyof typeof subjects]

/** Questions between services that are answered at once or not at all: nothing of them is queued or kept. */
export const questions = {
  /** Which languages programs can be run in, by world: `WorldSummary[]`. */
  worlds: 'ask.execution.worlds',
} as const
/** How a replica is, and the queues that it works on: asked of every replica of a service at once. */
export const rollCall = (service: string): RollCallSubject => `ask.${service}.state`
export type RollCallSubject = `ask.${string}.state`
export type QuestionSubject = (typeof questions)[keyof typeof questions]

/** A job's payload: inside the message, or an artifact where it is larger than a message may be. */
export type Payload = { inline: Json } | { artifact: string }
/**
 * A value that may be too large to be one text: an object or a list whose members are stored each by itself,
 * as soon as they exist. `bytes` is the size of a member as JSON.
 */
export type Parts =
  | Payload
  | { artifact: string; bytes: number }
  | { list: Parts[] }
  | { object: { [name: string]: Parts } }

/**
 * The newest version of messages on the queues. It is raised where a message of before could be misread: a
 * service leaves a message of a newer version than its own on the queue, for a replica that knows it, and
 * reads every older one.
 */
export const messageVersion = 4

/**
 * The version that a message is sent as: the oldest that reads it rightly, so that replicas of before work
 * on during an update. 2 came with projects: a replica that knows none would do another project's job among
 * the default one's documents. 3 came with answers to an inbox: a replica of before would drop such a job.
 * 4 came with states of dialogues that hold events: who sends such a state names it as `least`.
 */
export const messageVersionOf = (project: string | undefined, toInbox: boolean, least = 1): number =>
  Math.max(least, toInbox ? 3 : project === undefined ? 1 : 2)

/**
 * Where the outcome of a job goes: onto a queue, where any replica of the asker takes it; or straight to the
 * process that waits for it, which asks again where it hears nothing. `carried` is the asker's own, and comes
 * back with the answer, whose message has `version` at least: what reads the carried rightly.
 */
export type ReplyTo =
  | { subject: JobSubject; correlation: string; carried?: Payload; version?: number }
  | { inbox: string; correlation: string }

/** The name of an inbox: the service, and what is drawn for each of its processes. */
export const inboxPattern = /^[a-z-]{1,40}\.[0-9a-f]{1,40}$/

/**
 * What a queue subject carries. The id is deterministic: the same work has the same id, so a redelivered or
 * republished job is recognised. With `replyTo`, the finished job's outcome is published there as a JobReply.
 */
export interface JobMessage {
  /** What reads it rightly; absent: 1. */
  version?: number
  id: string
  /** The project it is for. Absent: the default one, also in messages from before there were projects. */
  project?: string
  payload: Payload
  replyTo?: ReplyTo
  /**
   * Which dead letter it was made from again; its failure is forgotten once, and it has all its attempts
   * anew.
   */
  redrive?: string
}

/** A job that was given up, as DEAD keeps it. */
export interface DeadLetterMessage extends JobMessage {
  subject: JobSubject
  /** The error of the last attempt. */
  error: string
  attempts: number
}

/**
 * How a job ended: a value, or a refusal that no retry would change (bad payload), or a failure after all
 * retries.
 */
export type JobOutcome = { status: 'done'; value: Parts } | { status: 'refused' | 'failed'; reason: string }

/** The payload of a job whose subject was another job's replyTo, or what an inbox gets. */
export interface JobReply {
  correlation: string
  jobId: string
  outcome: JobOutcome
  carried?: Payload
}

/** Larger payloads travel as artifacts, by hash. */
export const maxInlineBytes = 200_000
