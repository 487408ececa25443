/** A project that the path names. Another one is like one that is not there, but for operators. */
import { ProblemError } from '@stateeval/contracts'
import { type Access, isOperator, type Principal } from '@stateeval/service-kit'

/** Its id, where the caller may look at it. */
export async function visibleProject(
  id: string,
  principal: Principal,
  { access }: { access: Pick<Access, 'projects'> },
): Promise<string> {
  const may = id === principal.project || isOperator(principal)
  if (may && (await access.projects.find(id))) return id
  throw new ProblemError('not-found', `there is no project ${id}; GET /v1/projects lists them`)
}
