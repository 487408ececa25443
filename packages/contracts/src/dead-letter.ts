/** Dead letters: jobs that failed after all attempts, and the outcome of those queued again. */
import Type, { type Static } from 'typebox'
import { JobStatus } from './job.ts'
import { subjects } from './subjects.ts'

const kinds = Object.values(subjects).map((subject) => subject.slice('jobs.'.length))

/** The kind of a queue's jobs: its subject without `jobs.`. */
export const JobKind = Type.Enum(kinds, {
  type: 'string',
  description: 'The queue: the service and its operation',
})
const Job = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Id of the job: the same work has the same id. Of a sealed stream, the id of the stream',
})
const Owner = Type.String({
  pattern: '^(ev|bm)_[0-9a-z]{1,64}$',
  description: 'The evaluation or the build that asked for it',
})

export const DeadLetter = Type.Object(
  {
    id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Id of the dead letter' }),
    kind: JobKind,
    job: Job,
    error: Type.String({ description: 'The error of the last attempt; hidden while its stream is sealed' }),
    attempts: Type.Integer({ minimum: 0, description: 'The number of attempts' }),
    diedAt: Type.String({ format: 'date-time' }),
    owner: Type.Optional(Owner),
  },
  { additionalProperties: false },
)
export type DeadLetter = Static<typeof DeadLetter>

export const DeadLetterDetail = Type.Object(
  {
    ...DeadLetter.properties,
    payload: Type.Optional(
      Type.Unknown({ description: 'The payload; absent if it is an artifact, or if its stream is sealed' }),
    ),
    artifact: Type.Optional(Type.String({ description: 'SHA-256 of a payload too large for a message' })),
    replyTo: Type.Optional(
      Type.Object(
        { kind: JobKind, step: Type.String({ description: 'The step that waits for the outcome' }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type DeadLetterDetail = Static<typeof DeadLetterDetail>

/** Selects dead letters; all given fields must match. */
export const DeadLetterFilter = Type.Object(
  {
    kind: Type.Optional(JobKind),
    job: Type.Optional(Job),
    owner: Type.Optional(Owner),
    error: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Text that the error contains' }),
    ),
  },
  { additionalProperties: false },
)
export type DeadLetterFilter = Static<typeof DeadLetterFilter>

/** A job that is queued again. */
export const RedriveResult = Type.Object(
  {
    id: DeadLetter.properties.id,
    kind: JobKind,
    job: Job,
    owner: Type.Optional(
      Type.Object(
        {
          id: Owner,
          status: JobStatus,
          resumed: Type.Boolean({ description: 'Whether it had failed and was resumed' }),
        },
        {
          additionalProperties: false,
          description: 'The waiting evaluation or build; absent if no step waits, or if it was deleted',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type RedriveResult = Static<typeof RedriveResult>

/** The outcome of all matching letters. */
export const RedrivenAll = Type.Object(
  {
    redriven: Type.Array(RedriveResult),
    more: Type.Boolean({ description: 'Whether more jobs match; if so, repeat the request' }),
  },
  { additionalProperties: false },
)
export type RedrivenAll = Static<typeof RedrivenAll>

export const DiscardedAll = Type.Object(
  {
    discarded: Type.Array(DeadLetter.properties.id, { description: 'The dead letters that are gone' }),
    more: Type.Boolean({ description: 'Whether more jobs match; if so, repeat the request' }),
  },
  { additionalProperties: false },
)
export type DiscardedAll = Static<typeof DiscardedAll>
