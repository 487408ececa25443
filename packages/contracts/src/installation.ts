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
  },
  closed,
)
export type Replica = Static<typeof Replica>

/** A replica's status. Every replica reports the same about the queues. */
export const ReplicaState = Type.Object({ replica: Replica, queues: Type.Array(QueueDepth) }, closed)
export type ReplicaState = Static<typeof ReplicaState>

export const InstallationState = Type.Object(
  {
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
