/** API keys, projects and callers as resources. */
import Type, { type Static } from 'typebox'
import { ProjectId, Scope } from './access.ts'
import { defineRecord } from './basics/record.ts'

const closedObject = { additionalProperties: false } as const
const defineName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description })

export const keyIdPattern = '^[0-9a-z]{16}$'
export const KeyId = Type.String({ pattern: keyIdPattern })
const keyScopes = Type.Array(Scope, { minItems: 1, maxItems: 3, uniqueItems: true })

export const CreateKey = Type.Object(
  {
    name: defineName('Purpose of the key, such as nightly-ci'),
    scopes: keyScopes,
    project: Type.Optional(ProjectId),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the key expires. Default: never',
      }),
    ),
  },
  {
    ...closedObject,
    description: 'The project of the key. Default: the caller’s; operators may name another',
  },
)

export const ApiKey = Type.Object(
  {
    id: KeyId,
    name: Type.String(),
    project: ProjectId,
    scopes: keyScopes,
    status: Type.Union([Type.Literal('active'), Type.Literal('expired'), Type.Literal('revoked')]),
    createdAt: Type.String({ format: 'date-time' }),
    createdBy: Type.String({
      description: 'Who created it; an operator of another project appears as operator',
    }),
    expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
    revokedAt: Type.Optional(Type.String({ format: 'date-time' })),
    lastUsedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time of the last use, to the minute; absent if the key was never used',
      }),
    ),
    links: defineRecord(Type.String()),
  },
  closedObject,
)
export type ApiKey = Static<typeof ApiKey>

export const CreatedKey = Type.Object(
  {
    ...ApiKey.properties,
    key: Type.String({ description: 'The key itself, which is shown only in this response' }),
  },
  closedObject,
)

export const CreateProject = Type.Object(
  { id: ProjectId, name: Type.Optional(defineName('Display name. Default: the id')) },
  closedObject,
)
export const Project = Type.Object(
  {
    id: ProjectId,
    name: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    links: defineRecord(Type.String()),
  },
  closedObject,
)
export type Project = Static<typeof Project>

export const Caller = Type.Object(
  {
    subject: Type.String({ description: 'key:<id>, oidc:<subject>, admin-key, or anonymous' }),
    project: ProjectId,
    scopes: Type.Array(Scope),
    operator: Type.Boolean({ description: 'Whether the key may create projects, and keys of any project' }),
  },
  closedObject,
)
