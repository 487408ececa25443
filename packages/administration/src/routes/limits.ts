/** Limits and usage of projects, and how long their resources are kept. */
import { ProblemError, type ProjectLimitsResource, type RetentionResource } from '@stateeval/contracts'
import { runInProject, isOperator, type ServicePlatform } from '@stateeval/service-kit'
import { loadRunning, measureStoredBytes } from '../holdings.ts'
import type { EvaluationRoute } from '@stateeval/jobs'
import { requireVisibleProject } from '../visible-project.ts'

type LimitParts = Pick<ServicePlatform, 'access' | 'mongo' | 'now' | 'quota'>

async function describeLimits(
  { quota: { rules } }: LimitParts,
  project: string,
): Promise<ProjectLimitsResource> {
  const [{ limits: own }, effective] = await Promise.all([rules.ownRules(project), rules.limits(project)])
  return { project, own, effective }
}
async function describeRetention(
  { quota: { rules } }: LimitParts,
  project: string,
): Promise<RetentionResource> {
  const [{ retention: own }, effective] = await Promise.all([
    rules.ownRules(project),
    rules.retention(project),
  ])
  return { project, own, effective }
}

export const getProjectLimits: EvaluationRoute<'getProjectLimits', LimitParts> = async (
  { params, principal },
  context,
) => ({
  status: 200,
  body: await describeLimits(context, await requireVisibleProject(params.id, principal, context)),
})

export const setProjectLimits: EvaluationRoute<'setProjectLimits', LimitParts> = async (
  { params, body, principal },
  context,
) => {
  const id = await requireVisibleProject(params.id, principal, context)
  if (!isOperator(principal))
    throw new ProblemError('forbidden', `only operators set limits; ask one of them to set those of ${id}`)
  await context.quota.rules.setLimits(id, body)
  return { status: 200, body: await describeLimits(context, id) }
}

export const getRetention: EvaluationRoute<'getRetention', LimitParts> = async (
  { params, principal },
  context,
) => ({
  status: 200,
  body: await describeRetention(context, await requireVisibleProject(params.id, principal, context)),
})

export const setRetention: EvaluationRoute<'setRetention', LimitParts> = async (
  { params, body, principal },
  context,
) => {
  const id = await requireVisibleProject(params.id, principal, context)
  await context.quota.rules.setRetention(id, body)
  return { status: 200, body: await describeRetention(context, id) }
}

export const getProjectUsage: EvaluationRoute<'getProjectUsage', LimitParts> = async (
  { params, query: { on }, principal },
  context,
) => {
  const project = await requireVisibleProject(params.id, principal, context)
  return runInProject(project, async () => {
    const at = on === undefined ? context.now() : new Date(`${on}T00:00:00Z`)
    const { period, ...usage } = await context.quota.usage(at)
    const [running, bytes] = await Promise.all([loadRunning(context), measureStoredBytes(context)])
    return { status: 200, body: { project, ...period, ...usage, running, storedBytes: bytes } }
  })
}
