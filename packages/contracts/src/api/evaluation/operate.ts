/** Operations on a project: read its audit log, back it up, restore it, delete it. */
import Type from 'typebox'
import { ProjectId } from '../../access.ts'
import { AuditEntry, AuditFilter } from '../../audit.ts'
import { BackupCollection, BackupPage, CollectionName, RestoreResult, RestoreRequest } from '../../backup.ts'
import { InstallationCheck, InstallationCheckRequest, InstallationState } from '../../installation.ts'
import { definePage, definePageQuery } from '../../job.ts'
import { defineOperations } from '../../operation.ts'

const Params = Type.Object({ id: ProjectId })
const exampleEntry: AuditEntry = {
  id: '0mkf4j2q10a7c1f2b3d4e',
  at: '2026-01-05T10:00:00.000Z',
  service: 'evaluation',
  operation: 'createEvaluation',
  method: 'POST',
  route: '/v1/evaluations',
  params: {},
  subject: 'key:mkf4j2q10a7c1f2b',
  project: 'speech-team',
  from: '10.0.0.7',
  request: 'a2b1c0d4',
  status: 202,
  outcome: 'done',
  made: '/v1/evaluations/ev_0mkf4j2q18d3a7c1f2b',
}
const exampleInstallation: InstallationState = {
  stalled: [
    {
      ...{ id: 'ev_0mkf4j2q18d3a7c1f2b', project: 'speech-team', seconds: 42 },
      reason: 'No replica of scoring takes jobs: 3 wait (score). Start one, or look at its log.',
    },
  ],
  services: [
    {
      service: 'execution',
      replicas: [{ host: 'execution-7d9f', pid: 1, startedAt: '2026-01-05T10:00:00.000Z', problems: [] }],
      queues: [{ kind: 'execution.execute', waiting: 12, taken: 4, repeated: 0, lagSeconds: 1.5 }],
    },
    { service: 'scoring', replicas: [], queues: [] },
  ],
}
const exampleLine =
  '{"id":"smol","text":"{\\"settings\\":{\\"baseUrl\\":\\"http://127.0.0.1:8000/v1\\",\\"model\\":\\"smol\\"},\\"updatedAt\\":\\"2026-01-05T10:00:00.000Z\\"}"}'

export const operateOperations = defineOperations({
  getInstallation: {
    method: 'GET',
    path: '/v1/installation',
    scope: 'admin',
    tag: 'runtime',
    summary: 'Services, replicas and queues',
    description:
      'Asks every replica of every service over the broker, and waits for half a second. A replica that does not answer is missing; a service without replicas is listed without any. All projects share the queues, so only operators see this information.',
    success: {
      200: {
        description: 'All services, with the replicas that answered',
        schema: InstallationState,
        example: exampleInstallation,
      },
    },
    errors: [],
  },
  checkInstallation: {
    method: 'POST',
    path: '/v1/installation/check',
    scope: 'admin',
    tag: 'runtime',
    summary: 'Try every queue and the store',
    description:
      'Sends a message through the queue of each kind of job to a replica and back, writes a document, and compares versions and clocks. Waits at most ten seconds. Only for operators.',
    body: InstallationCheckRequest,
    success: {
      200: {
        description: 'What was tried, with the time it took',
        schema: InstallationCheck,
        example: {
          queues: [
            { kind: 'execution.execute', ms: 3.1 },
            {
              kind: 'scoring.score',
              ms: null,
              problem: 'No answer within 10 s. Start scoring, or look at its log.',
            },
          ],
          servers: [
            { name: 'MongoDB', version: '8.0.4' },
            { name: 'NATS', version: '2.12.0' },
          ],
          store: { ms: 1.2 },
          clockMs: 0,
        },
      },
    },
    errors: [400, 404, 413, 415],
    example: { repair: false },
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    scope: 'admin',
    tag: 'audit',
    summary: 'List changes',
    description:
      'One entry for each request to an operation that can change something, including refused requests. Entries of the caller’s project, oldest first.',
    query: Type.Object(
      { ...definePageQuery('^[0-9a-z]{9,40}$').properties, ...AuditFilter.properties },
      { additionalProperties: false },
    ),
    success: {
      200: { description: 'A page', schema: definePage(AuditEntry), example: { items: [exampleEntry] } },
    },
    errors: [400],
  },
  exportAudit: {
    method: 'GET',
    path: '/v1/audit/export',
    scope: 'admin',
    tag: 'audit',
    summary: 'The audit log as JSONL',
    description: 'All matching entries, one per line, as a stream.',
    query: AuditFilter,
    success: {
      200: {
        description: 'Entries',
        schema: Type.String(),
        contentType: 'application/jsonl',
        example: `${JSON.stringify(exampleEntry)}\n`,
      },
    },
    errors: [400],
  },
  deleteProject: {
    method: 'DELETE',
    path: '/v1/projects/:id',
    scope: 'admin',
    tag: 'access',
    summary: 'Delete a project with all its data',
    description:
      'The services reject its callers immediately. They then remove its documents, artifacts, keys, events and dead letters, and continue after a restart. The id cannot be used again. Only for operators; the default project cannot be deleted.',
    params: Params,
    success: { 204: { description: 'The project is closed, and its data is being removed', schema: null } },
    errors: [400, 404, 409],
  },
  listBackup: {
    method: 'GET',
    path: '/v1/projects/:id/backup',
    scope: 'admin',
    audited: true,
    tag: 'access',
    summary: 'List the contents of a project backup',
    description:
      'What the project has made: models, benchmarks, evaluations and their like, with the artifacts that they name. The collections are in the order of a restore. If the project is in use, read them in this order, but answers and artifacts last.',
    params: Params,
    success: {
      200: {
        description: 'The collections',
        schema: Type.Object({ items: Type.Array(BackupCollection) }, { additionalProperties: false }),
        example: { items: [{ name: 'evaluation.models', documents: 3 }] },
      },
    },
    errors: [400, 404],
  },
  getBackup: {
    method: 'GET',
    path: '/v1/projects/:id/backup/:collection',
    scope: 'admin',
    audited: true,
    tag: 'access',
    summary: 'Documents of a collection, page by page',
    description:
      'Sorted by id, each as a line of JSON: {"id", "text"}, or {"id", "of", "data"} for a piece of an artifact. Tasks of streams are not among them: they are generated again from the seed, which stays sealed.',
    params: Type.Object({ id: ProjectId, collection: CollectionName }),
    query: Type.Object(
      { cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })) },
      { additionalProperties: false },
    ),
    success: {
      200: { description: 'A page', schema: BackupPage, example: { items: [exampleLine] } },
    },
    errors: [400, 404],
  },
  restoreBackup: {
    method: 'POST',
    path: '/v1/projects/:id/restore',
    scope: 'admin',
    tag: 'access',
    summary: 'Restore documents of a backup',
    description:
      'Each document is checked like an import: by its form, its bounds, and what it names, which must have been restored before. The route never overwrites: an existing document must equal the one sent. Repeat an interrupted restore. Nothing begins to run: evaluations that were running are stopped, and can be resumed.',
    params: Params,
    body: RestoreRequest,
    bodyLimit: 64 * 2 ** 20,
    success: {
      200: {
        description: 'The number of restored documents',
        schema: RestoreResult,
        example: { inserted: 1, present: 0, leftOut: 0 },
      },
    },
    errors: [400, 404, 409, 413, 415, 422],
    example: { collection: 'evaluation.models', documents: [exampleLine] },
  },
})
