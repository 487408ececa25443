/** Authorization: scopes of API keys and tokens, and projects, to which every stored resource belongs. */
import Type, { type Static } from 'typebox'

/** In ascending order: each scope includes those before it. */
export const scopes = ['read', 'run', 'admin'] as const
export type Scope = (typeof scopes)[number]
export const Scope = Type.Enum(scopes, {
  type: 'string',
  description: 'read: view resources; run: also create, change and delete them; admin: also manage keys',
})

/** Tells whether a caller with these scopes may do something that requires `neededScope`. */
export const hasScope = (callerScopes: readonly Scope[], neededScope: Scope): boolean =>
  callerScopes.some((scope) => scopes.indexOf(scope) >= scopes.indexOf(neededScope))

/** The project of callers without a key, and of data stored before projects existed. */
export const defaultProject = 'default'
export const projectPattern = '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$'
const projectForm = new RegExp(projectPattern)
export const isProjectId = (value: unknown): value is string =>
  typeof value === 'string' && projectForm.test(value)
export const ProjectId = Type.String({
  pattern: projectPattern,
  description: 'Lower-case letters, digits and hyphens',
})
export type ProjectId = Static<typeof ProjectId>
