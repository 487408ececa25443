/** API keys and projects of the installation, and the caller's identity. */
import Type from 'typebox'
import { ProjectId, projectPattern } from '../../access.ts'
import {
  ApiKey,
  Caller,
  CreatedKey,
  CreateKey,
  CreateProject,
  KeyId,
  keyIdPattern,
  Project,
} from '../../access-resources.ts'
import { exampleKey, exampleProject } from '../../examples/access.ts'
import { IdempotencyHeaders, definePage, definePageQuery } from '../../job.ts'
import { defineOperations } from '../../operation.ts'

const KeyParams = Type.Object({ id: KeyId })
const ProjectParams = Type.Object({ id: ProjectId })

export const accessOperations = defineOperations({
  createKey: {
    method: 'POST',
    path: '/v1/keys',
    scope: 'admin',
    tag: 'access',
    summary: 'Create an API key',
    description:
      'The response contains the key itself, which the service stores only as a hash and never shows again. The route does not support an Idempotency-Key: if a response is lost, revoke its key.',
    body: CreateKey,
    secret: true,
    success: {
      201: {
        description: 'The key. Location has the URL of its resource',
        schema: CreatedKey,
        example: { ...exampleKey, key: 'stateeval_mkf4j2q10a7c1f2b_…' },
      },
    },
    errors: [400, 413, 415, 422],
    example: { name: 'nightly-ci', scopes: ['run'], expiresAt: '2026-04-05T10:00:00.000Z' },
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    scope: 'admin',
    tag: 'access',
    summary: 'List API keys',
    description:
      'The keys of the caller’s project, including revoked ones, oldest first. Operators may name another project.',
    query: Type.Object(
      { ...definePageQuery(keyIdPattern).properties, project: Type.Optional(ProjectId) },
      { additionalProperties: false },
    ),
    success: {
      200: { description: 'A page of keys', schema: definePage(ApiKey), example: { items: [exampleKey] } },
    },
    errors: [400],
  },
  getKey: {
    method: 'GET',
    path: '/v1/keys/:id',
    scope: 'admin',
    tag: 'access',
    summary: 'An API key',
    description:
      'Returns the key’s scope, whether it is still valid, and when it was last used, but never the key itself.',
    params: KeyParams,
    success: { 200: { description: 'The key', schema: ApiKey, example: exampleKey } },
    errors: [400, 404],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/keys/:id',
    scope: 'admin',
    tag: 'access',
    summary: 'Revoke an API key',
    description: 'All services refuse the key within a second. Revoking the key again changes nothing.',
    params: KeyParams,
    success: { 204: { description: 'Revoked', schema: null } },
    errors: [400, 404],
  },
  createProject: {
    method: 'POST',
    path: '/v1/projects',
    scope: 'admin',
    tag: 'access',
    summary: 'Create a project',
    description:
      'A project is a tenant: only its own callers see its resources. Only for operators, the administrators of the default project.',
    headers: IdempotencyHeaders,
    body: CreateProject,
    success: {
      201: { description: 'The project. Location has its URL', schema: Project, example: exampleProject },
    },
    errors: [400, 409, 413, 415, 422],
    example: { id: 'speech-team', name: 'Speech team' },
  },
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    scope: 'read',
    tag: 'access',
    summary: 'List projects',
    description: 'The caller’s own project; operators see all, sorted by id.',
    query: definePageQuery(projectPattern),
    success: {
      200: { description: 'A page', schema: definePage(Project), example: { items: [exampleProject] } },
    },
    errors: [400],
  },
  getProject: {
    method: 'GET',
    path: '/v1/projects/:id',
    scope: 'read',
    tag: 'access',
    summary: 'A project',
    description: 'The caller’s own project; operators may view any.',
    params: ProjectParams,
    success: { 200: { description: 'The project', schema: Project, example: exampleProject } },
    errors: [400, 404],
  },
  getCaller: {
    method: 'GET',
    path: '/v1/caller',
    scope: 'read',
    tag: 'access',
    summary: 'Who asks',
    description: 'The identity and the permissions of this request’s key or token.',
    success: {
      200: {
        description: 'The caller',
        schema: Caller,
        example: {
          subject: 'key:mkf4j2q10a7c1f2b',
          project: 'speech-team',
          scopes: ['run'],
          operator: false,
        },
      },
    },
    errors: [],
  },
})
