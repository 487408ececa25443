/** The project that a path names. Another project is treated as missing, except for operators. */
import { ProblemError } from '@stateeval/contracts'
import { type AccessControl, isOperator, type CallerPrincipal } from '@stateeval/service-kit'

/** The project's id, if the caller may see it. */
export async function requireVisibleProject(
  id: string,
  principal: CallerPrincipal,
  { access }: { access: Pick<AccessControl, 'projects'> },
): Promise<string> {
  const may = id === principal.project || isOperator(principal)
  if (may && (await access.projects.find(id))) return id
  throw new ProblemError('not-found', `there is no project ${id}; GET /v1/projects lists them`)
}
