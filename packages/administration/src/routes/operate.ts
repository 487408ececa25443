/** Operations on projects: audit log, backup, restore, deletion. Another project is treated as missing. */
import { type AuditFilter, defaultProject, ProblemError, serviceNames } from '@stateeval/contracts'
import {
  type AccessControl,
  listEveryItem,
  isOperator,
  buildPage,
  type ServicePlatform,
} from '@stateeval/service-kit'
import type { ProjectBackups } from '../backups.ts'
import { removeClosedProjects } from '../remove.ts'
import { askReplicaStates, type WaitWatch, type EvaluationRoute } from '@stateeval/jobs'
import { requireVisibleProject } from '../visible-project.ts'

interface BackupParts {
  access: Pick<AccessControl, 'projects'>
  backups: ProjectBackups
}
type OperatorParts = Pick<ServicePlatform, 'access' | 'audit' | 'bus' | 'log' | 'mongo' | 'now' | 'quota'>

export const listAudit: EvaluationRoute<'listAudit', OperatorParts> = async (
  { query: { limit = 50, cursor, ...filter } },
  { audit },
) => ({ status: 200, body: buildPage(await audit.page(filter, cursor, limit + 1), limit) })

export const getInstallation: EvaluationRoute<
  'getInstallation',
  OperatorParts & { waits: Pick<WaitWatch, 'stalled'> }
> = async ({ principal }, { bus, waits }) => {
  // Queues are of all projects together.
  const asked = isOperator(principal) ? serviceNames : []
  const services = asked.map(async (service) => {
    const all = await askReplicaStates({ bus }, service, 500)
    const replicas = all.map(({ replica }) => replica)
    return {
      service,
      replicas: replicas.sort((a, b) => (`${a.host} ${a.pid}` < `${b.host} ${b.pid}` ? -1 : 1)),
      queues: all[0]?.queues ?? [],
    }
  })
  const stalled = isOperator(principal) ? waits.stalled() : []
  return { status: 200, body: { stalled, services: await Promise.all(services) } }
}

const together = 500
async function* streamAuditLines({ audit }: OperatorParts, filter: AuditFilter): AsyncGenerator<string> {
  for await (const entry of listEveryItem((cursor, limit) => audit.page(filter, cursor, limit), together))
    yield `${JSON.stringify(entry)}\n`
}
export const exportAudit: EvaluationRoute<'exportAudit', OperatorParts> = async ({ query }, context) => ({
  status: 200,
  body: streamAuditLines(context, query),
})

export const deleteProject: EvaluationRoute<'deleteProject', OperatorParts> = async (
  { params, principal },
  context,
) => {
  const id = await requireVisibleProject(params.id, principal, context)
  if (!isOperator(principal))
    throw new ProblemError('not-found', `only operators delete projects; ask one of them to delete ${id}`)
  if (id === defaultProject)
    throw new ProblemError('conflict', 'the default project cannot be deleted; delete its contents instead')
  await context.access.projects.close(id, context.now())
  // The sweep does it as well, and continues where this is cut short.
  void removeClosedProjects(context, new AbortController().signal).catch((error: unknown) =>
    context.log.warn({ err: error, project: id }, 'the removal of a project continues later'),
  )
  return { status: 204 }
}

export const listBackup: EvaluationRoute<'listBackup', BackupParts> = async (
  { params, principal },
  context,
) => ({
  status: 200,
  body: {
    items: await context.backups.list(await requireVisibleProject(params.id, principal, context)),
  },
})

export const getBackup: EvaluationRoute<'getBackup', BackupParts> = async (
  { params, query, principal },
  context,
) => {
  const project = await requireVisibleProject(params.id, principal, context)
  return { status: 200, body: await context.backups.read(project, params.collection, query.cursor) }
}

export const restoreBackup: EvaluationRoute<'restoreBackup', BackupParts> = async (
  { params, body, principal },
  context,
) => {
  const project = await requireVisibleProject(params.id, principal, context)
  return { status: 200, body: await context.backups.restore(project, body.collection, body.documents) }
}
