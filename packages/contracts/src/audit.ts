/** The audit log: who did what, when, from where, and with which outcome. */
import Type, { type Static } from 'typebox'
import { ProjectId } from './access.ts'
import { defineRecord } from './basics/record.ts'

const Outcome = Type.Enum(['done', 'refused', 'failed'] as const, {
  type: 'string',
  description: 'refused: answered with a 4xx status; failed: with a 5xx status',
})
const Name = Type.String({ minLength: 1, maxLength: 300 })

export const AuditEntry = Type.Object(
  {
    id: Type.String({ pattern: '^[0-9a-z]{9,40}$', description: 'Sorts by time' }),
    at: Type.String({ format: 'date-time' }),
    service: Type.String(),
    operation: Type.String({ description: 'The operationId' }),
    method: Type.String(),
    route: Type.String(),
    params: defineRecord(Type.String(), { description: 'The resource in the path' }),
    subject: Type.String({
      description: 'The caller: key:ID, oidc:SUBJECT, admin-key, anonymous; unknown if authentication failed',
    }),
    project: ProjectId,
    from: Type.String({
      description: 'Address of the connection, or the address that a trusted proxy reported',
    }),
    request: Type.String({ description: 'X-Request-Id' }),
    status: Type.Integer(),
    outcome: Outcome,
    problem: Type.Optional(
      Type.String({ description: 'Code of the problem, if the request was refused or failed' }),
    ),
    made: Type.Optional(Type.String({ description: 'Path of the created resource' })),
  },
  { additionalProperties: false },
)
export type AuditEntry = Static<typeof AuditEntry>

/** All given fields must match. */
export const AuditFilter = Type.Object(
  {
    operation: Type.Optional(Name),
    subject: Type.Optional(Name),
    service: Type.Optional(Name),
    outcome: Type.Optional(Outcome),
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Only entries at or after this time' }),
    ),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Only entries before this time' })),
  },
  { additionalProperties: false },
)
export type AuditFilter = Static<typeof AuditFilter>
