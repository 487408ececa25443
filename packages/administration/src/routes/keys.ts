/** API keys. A key of another project is treated as missing. */
import { type ApiKey, ProblemError } from '@stateeval/contracts'
import {
  type AccessControl,
  isOperator,
  type KeyView,
  buildPage,
  type CallerPrincipal,
} from '@stateeval/service-kit'
import type { EvaluationRoute } from '@stateeval/jobs'

interface KeyParts {
  access: Pick<AccessControl, 'keys' | 'projects'>
  now: () => Date
}

function describeKey(key: KeyView, now: Date): ApiKey {
  const { _id: id, name, project, scopes, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt } = key
  return {
    id,
    name,
    project,
    scopes: [...scopes],
    status: revokedAt ? 'revoked' : expiresAt && expiresAt <= now ? 'expired' : 'active',
    createdAt: createdAt.toISOString(),
    createdBy,
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    links: { self: `/v1/keys/${id}` },
  }
}

/**
 * The project that is meant: the caller's own, or any for operators. Says nothing about whether it exists.
 */
function chooseProject(principal: CallerPrincipal, named: string | undefined, field: string): string {
  if (named === undefined || named === principal.project || isOperator(principal))
    return named ?? principal.project
  throw new ProblemError(
    'forbidden',
    'only operators, the administrators of the default project, manage keys of other projects; leave the project out',
    field,
  )
}

export const createKey: EvaluationRoute<'createKey', KeyParts> = async (
  { body, principal },
  { access: { keys, projects }, now },
) => {
  const { name, scopes, expiresAt } = body
  const project = chooseProject(principal, body.project, '/project')
  if (!(await projects.find(project)))
    throw new ProblemError(
      'unprocessable',
      `there is no project ${project}; POST /v1/projects creates one`,
      '/project',
    )
  const createdAt = now()
  const until = expiresAt === undefined ? undefined : new Date(expiresAt)
  if (until && !(until > createdAt))
    throw new ProblemError('unprocessable', 'expiresAt must be in the future', '/expiresAt')
  const createdBy = project === principal.project ? principal.subject : 'operator'
  const { view, text } = await keys.create({
    ...{ name, project, scopes, createdAt, createdBy },
    ...(until && { expiresAt: until }),
  })
  const resource = describeKey(view, createdAt)
  return { status: 201, body: { ...resource, key: text }, headers: { location: `/v1/keys/${resource.id}` } }
}

export const listKeys: EvaluationRoute<'listKeys', KeyParts> = async (
  { query, principal },
  { access: { keys }, now },
) => {
  const { limit = 50, cursor = '' } = query
  const keyPage = await keys.page(chooseProject(principal, query.project, 'project'), cursor, limit + 1)
  return {
    status: 200,
    body: buildPage(
      keyPage.map((key) => describeKey(key, now())),
      limit,
    ),
  }
}

/** A key that the caller may manage. */
async function requireKey(
  id: string,
  principal: CallerPrincipal,
  { access: { keys } }: KeyParts,
): Promise<KeyView> {
  const key = await keys.find(id)
  if (key && (key.project === principal.project || isOperator(principal))) return key
  throw new ProblemError('not-found', `there is no key ${id}; GET /v1/keys lists them`)
}

export const getKey: EvaluationRoute<'getKey', KeyParts> = async ({ params: { id }, principal }, parts) => ({
  status: 200,
  body: describeKey(await requireKey(id, principal, parts), parts.now()),
})

export const revokeKey: EvaluationRoute<'revokeKey', KeyParts> = async ({ params, principal }, parts) => {
  const { _id } = await requireKey(params.id, principal, parts)
  await parts.access.keys.revoke(_id, parts.now())
  return { status: 204 }
}
