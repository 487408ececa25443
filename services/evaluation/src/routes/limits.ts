/** Limits and usage of projects, and how long their resources are kept. */
import { ProblemError, type ProjectLimitsResource, type RetentionResource } from '@stateeval/contracts'
import { inProject, isOperator, type Platform } from '@stateeval/service-kit'
import { runningIn, storedBytes } from '../projects/holdings.ts'
import type { Route } from './route.ts'
import { visibleProject } from './visible-project.ts'

type Parts = Pick<Platform, 'access' | 'mongo' | 'now' | 'quota'>

async function limitsOf({ quota: { rules } }: Parts, project: string): Promise<ProjectLimitsResource> {
  const [{ limits: own }, effective] = await Promise.all([rules.ownRules(project), rules.limits(project)])
  return { project, own, effective }
}
async function retentionOf({ quota: { rules } }: Parts, project: string): Promise<RetentionResource> {
  const [{ retention: own }, effective] = await Promise.all([
    rules.ownRules(project),
    rules.retention(project),
  ])
  return { project, own, effective }
}

export const getProjectLimits: Route<'getProjectLimits', Parts> = async ({ params, principal }, context) => ({
  status: 200,
  body: await limitsOf(context, await visibleProject(params.id, principal, context)),
})

export const setProjectLimits: Route<'setProjectLimits', Parts> = async (
  { params, body, principal },
  context,
) => {
  const id = await visibleProject(params.id, principal, context)
  if (!isOperator(principal))
    throw new ProblemError('forbidden', `only operators set limits; ask one of them to set those of ${id}`)
  await context.quota.rules.setLimits(id, body)
  return { status: 200, body: await limitsOf(context, id) }
}

export const getRetention: Route<'getRetention', Parts> = async ({ params, principal }, context) => ({
  status: 200,
  body: await retentionOf(context, await visibleProject(params.id, principal, context)),
})

export const setRetention: Route<'setRetention', Parts> = async ({ params, body, principal }, context) => {
  const id = await visibleProject(params.id, principal, context)
  await context.quota.rules.setRetention(id, body)
  return { status: 200, body: await retentionOf(context, id) }
}

export const getProjectUsage: Route<'getProjectUsage', Parts> = async (
  { params, query: { on }, principal },
  context,
) => {
  const project = await visibleProject(params.id, principal, context)
  return inProject(project, async () => {
    const at = on === undefined ? context.now() : new Date(`${on}T00:00:00Z`)
    const { period, ...usage } = await context.quota.usage(at)
    const [running, bytes] = await Promise.all([runningIn(context), storedBytes(context)])
    return { status: 200, body: { project, ...period, ...usage, running, storedBytes: bytes } }
  })
}
