/** The status of an installation's services, for operators. */
import Type, { type Static } from 'typebox'
import { JobKind } from './dead-letter.ts'

const closed = { additionalProperties: false } as const

export const QueueDepth = Type.Object(
  {
    kind: JobKind,
    waiting: Type.Integer({ description: 'Jobs that no replica has taken' }),
    taken: Type.Integer({ description: 'Jobs that were taken and not acknowledged' }),
    repeated: Type.Integer({ description: 'Taken jobs that were delivered more than once' }),
    lagSeconds: Type.Number({ description: 'Age of the oldest job that no replica has taken' }),
  },
  closed,
)
export type QueueDepth = Static<typeof QueueDepth>

export const Replica = Type.Object(
  {
    host: Type.String({ description: 'Name of its machine or container' }),
    pid: Type.Integer(),
    startedAt: Type.String({ format: 'date-time' }),
    problems: Type.Array(Type.String(), { description: 'Unavailable servers that it needs' }),
    holds: Type.Optional(Type.Integer({ description: 'Jobs of each queue that it takes at once' })),
  },
  closed,
)
export type Replica = Static<typeof Replica>

/** A replica's status. Every replica reports the same about the queues. */
export const ReplicaState = Type.Object({ replica: Replica, queues: Type.Array(QueueDepth) }, closed)
export type ReplicaState = Static<typeof ReplicaState>

export const StalledJob = Type.Object(
  {
    id: Type.String(),
    project: Type.String(),
    seconds: Type.Integer({ description: 'Time since one of its items ended' }),
    reason: Type.String({ description: 'What it waits for, and what to do' }),
  },
  closed,
)
export type StalledJob = Static<typeof StalledJob>

export const InstallationState = Type.Object(
  {
    stalled: Type.Array(StalledJob, {
      description: 'Running evaluations and builds that wait for a missing part, or whose items do not end',
    }),
    services: Type.Array(
      Type.Object(
        {
          service: Type.String(),
          replicas: Type.Array(Replica, { description: 'Those that answered' }),
          queues: Type.Array(QueueDepth, { description: 'Of all projects together' }),
        },
        closed,
      ),
    ),
  },
  closed,
)
export type InstallationState = Static<typeof InstallationState>

export const InstallationCheckRequest = Type.Object(
  {
    repair: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Replace consumers that would never deliver what is queued',
      }),
    ),
  },
  closed,
)
const Trial = {
  ms: Type.Union([Type.Number(), Type.Null()], { description: 'How long it took; null if it failed' }),
  problem: Type.Optional(Type.String({ description: 'Why it failed, and what to do' })),
}
export const InstallationCheck = Type.Object(
  {
    queues: Type.Array(
      Type.Object(
        {
          kind: JobKind,
          ...Trial,
          repaired: Type.Optional(Type.String({ description: 'Why the consumer was replaced' })),
        },
        closed,
      ),
      { description: 'A message through the queue of each kind of job to a replica, and back' },
    ),
    servers: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          version: Type.Union([Type.String(), Type.Null()], { description: 'null where it did not answer' }),
          problem: Type.Optional(Type.String({ description: 'Why this version is too old' })),
        },
        closed,
      ),
      { description: 'The servers that the suite uses' },
    ),
    store: Type.Object(Trial, { additionalProperties: false, description: 'A document written to MongoDB' }),
    clockMs: Type.Union([Type.Number(), Type.Null()], {
      description: 'How far the clock of MongoDB is ahead of this replica’s; null if unknown',
    }),
  },
  closed,
)
export type InstallationCheck = Static<typeof InstallationCheck>
