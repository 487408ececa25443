/** Projects, and the caller's identity. Another project is treated as missing. */
import { type Project, ProblemError } from '@stateeval/contracts'
import { type AccessControl, isOperator, buildPage, type StoredProject } from '@stateeval/service-kit'
import type { EvaluationRoute } from '@stateeval/jobs'

interface ProjectParts {
  access: Pick<AccessControl, 'projects'>
  now: () => Date
}

const describeProject = ({ _id: id, name, createdAt }: StoredProject): Project => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  links: { self: `/v1/projects/${id}` },
})

export const createProject: EvaluationRoute<'createProject', ProjectParts> = async (
  { body: { id, name = id }, principal },
  { access: { projects }, now },
) => {
  if (!isOperator(principal))
    throw new ProblemError(
      'forbidden',
      'only operators, the administrators of the default project, create projects; ask one of them',
    )
  const project = { _id: id, name, createdAt: now() }
  if (!(await projects.create(project)))
    throw new ProblemError('conflict', `the id ${id} is, or was, in use; choose another one`, '/id')
  return { status: 201, body: describeProject(project), headers: { location: `/v1/projects/${id}` } }
}

export const listProjects: EvaluationRoute<'listProjects', ProjectParts> = async (
  { query: { limit = 50, cursor = '' }, principal },
  { access: { projects } },
) => {
  const ownProject = async () =>
    principal.project > cursor ? [await projects.find(principal.project)].filter((one) => one !== null) : []
  const projectPage = isOperator(principal) ? await projects.page(cursor, limit + 1) : await ownProject()
  return { status: 200, body: buildPage(projectPage.map(describeProject), limit) }
}

export const getProject: EvaluationRoute<'getProject', ProjectParts> = async (
  { params: { id }, principal },
  { access: { projects } },
) => {
  const project = id === principal.project || isOperator(principal) ? await projects.find(id) : null
  if (!project) throw new ProblemError('not-found', `there is no project ${id}; GET /v1/projects lists them`)
  return { status: 200, body: describeProject(project) }
}

export const getCaller: EvaluationRoute<'getCaller', object> = async ({ principal }) => {
  const { subject, project, scopes } = principal
  return { status: 200, body: { subject, project, scopes: [...scopes], operator: isOperator(principal) } }
}
