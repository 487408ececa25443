/** Limits and usage of projects, and how long their resources are kept. */
import Type from 'typebox'
import { ProjectId } from '../../access.ts'
import {
  exampleLimits,
  exampleLimitsResource,
  exampleRetention,
  exampleUsage,
} from '../../examples/limits.ts'
import { defineOperations } from '../../operation.ts'
import {
  ProjectLimits,
  ProjectLimitsResource,
  ProjectUsage,
  RetentionPeriods,
  RetentionResource,
} from '../../project-limits.ts'

const Params = Type.Object({ id: ProjectId })

export const limitOperations = defineOperations({
  getProjectLimits: {
    method: 'GET',
    path: '/v1/projects/:id/limits',
    scope: 'read',
    tag: 'access',
    summary: 'Limits and budget of a project',
    description:
      'The project’s own limits, and the effective limits, which include the installation’s defaults.',
    params: Params,
    success: {
      200: { description: 'The limits', schema: ProjectLimitsResource, example: exampleLimitsResource },
    },
    errors: [400, 404],
  },
  setProjectLimits: {
    method: 'PUT',
    path: '/v1/projects/:id/limits',
    scope: 'admin',
    tag: 'access',
    summary: 'Set limits and budget of a project',
    description:
      'Replaces the project’s own limits. All services apply them within two seconds; running work continues. For operators.',
    params: Params,
    body: ProjectLimits,
    success: {
      200: { description: 'The limits', schema: ProjectLimitsResource, example: exampleLimitsResource },
    },
    errors: [400, 404, 413, 415],
    example: exampleLimits,
  },
  getProjectUsage: {
    method: 'GET',
    path: '/v1/projects/:id/usage',
    scope: 'read',
    tag: 'access',
    summary: 'Get the usage of a project',
    description:
      'Usage in the budget’s period that contains `on`, by default the current period. Each model’s answer and each execution counts once, even if its message was delivered several times.',
    params: Params,
    query: Type.Object(
      { on: Type.Optional(Type.String({ format: 'date', description: 'A day of the period, in UTC' })) },
      { additionalProperties: false },
    ),
    success: { 200: { description: 'The usage', schema: ProjectUsage, example: exampleUsage } },
    errors: [400, 404],
  },
  getRetention: {
    method: 'GET',
    path: '/v1/projects/:id/retention',
    scope: 'read',
    tag: 'access',
    summary: 'Get the retention of a project',
    description:
      'The project’s own setting, and the effective one, which includes the installation’s default.',
    params: Params,
    success: { 200: { description: 'The setting', schema: RetentionResource, example: exampleRetention } },
    errors: [400, 404],
  },
  setRetention: {
    method: 'PUT',
    path: '/v1/projects/:id/retention',
    scope: 'admin',
    tag: 'access',
    summary: 'Set the retention of a project',
    description:
      'From the next sweep on, the service deletes evaluations, unused benchmarks, executions, recordings and audit entries of that age, with their artifacts. A benchmark is used while an evaluation of it is kept. For administrators of the project and operators.',
    params: Params,
    body: RetentionPeriods,
    success: { 200: { description: 'The setting', schema: RetentionResource, example: exampleRetention } },
    errors: [400, 404, 413, 415],
    example: { days: 90 },
  },
})
