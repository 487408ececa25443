/** Long work as a resource, and pages of lists: the same for every service. */
import Type, { type TSchema } from 'typebox'
import { defineRecord } from './basics/record.ts'

export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export const JobStatus = Type.Enum(jobStatuses, { type: 'string' })
export type JobStatus = (typeof jobStatuses)[number]

/** The part that all job resources share. */
export const jobFields = {
  id: Type.String(),
  status: JobStatus,
  progress: Type.Object(
    { done: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }), phase: Type.String() },
    { additionalProperties: false },
  ),
  createdAt: Type.String({ format: 'date-time' }),
  finishedAt: Type.Optional(Type.String({ format: 'date-time' })),
  error: Type.Optional(Type.String({ description: 'Why it failed, and what to do' })),
  waiting: Type.Optional(
    Type.String({ description: 'What it has been waiting for, for ten seconds or longer, and what to do' }),
  ),
  links: defineRecord(Type.String()),
}

/** The query of a list whose cursors have this form. */
export const definePageQuery = (cursor: string) =>
  Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Entries of a page' }),
      ),
      cursor: Type.Optional(Type.String({ pattern: cursor, description: 'The `next` of the previous page' })),
    },
    { additionalProperties: false },
  )
/** The query of a list in the order of ids with this prefix. */
export const defineIdQuery = (prefix: 'bm' | 'cmp' | 'ev' | 'exe' | 'gen' | 'trl') =>
  definePageQuery(`^${prefix}_[0-9a-z]{1,64}$`)
/** The query of a list whose entries are numbered from 0. */
export const PositionQuery = definePageQuery('^[0-9]{1,9}$')
export const definePage = <T extends TSchema>(item: T) =>
  Type.Object(
    { items: Type.Array(item), next: Type.Optional(Type.String()) },
    { additionalProperties: false },
  )
export const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) })

/** Headers of every request that creates something (`creates`). */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,200}$',
      description:
        'A repeated key returns the resource that the first request created; visible ASCII characters',
    }),
  ),
})
