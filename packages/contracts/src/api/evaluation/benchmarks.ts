/** Benchmarks: built, imported, written, listed. */
import Type from 'typebox'
import {
  BenchmarkFolder,
  BenchmarkKind,
  BenchmarkResource,
  BuildRequest,
  ConformanceResult,
  ConformanceRequest,
  Dataset,
  SeededSet,
  SpecificationPlan,
  WritingRequest,
} from '../../evaluation/index.ts'
import {
  buildingBenchmark,
  builtBenchmark,
  cancelledBenchmark,
  exampleKind,
  writingBenchmark,
} from '../../examples/benchmarks.ts'
import {
  exampleDataset,
  exampleFolder,
  importedBenchmark,
  importedDataset,
  seededBenchmark,
} from '../../examples/imports.ts'
import { IdParams, defineIdQuery, definePage } from '../../job.ts'
import { RequestedProvider } from '../../tensor.ts'
import { UsageBudget } from '../../model.ts'
import { defineOperations } from '../../operation.ts'
import { folderLimit } from './shared.ts'

export const benchmarkOperations = defineOperations({
  listBenchmarkKinds: {
    method: 'GET',
    path: '/v1/kinds',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'List the kinds of benchmarks',
    description: 'Each kind of benchmark with the options of its evaluations.',
    success: {
      200: {
        description: 'All kinds',
        schema: Type.Object({ items: Type.Array(BenchmarkKind) }, { additionalProperties: false }),
        example: { items: [exampleKind] },
      },
    },
    errors: [],
  },
  createBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks',
    scope: 'run',
    work: true,
    tag: 'benchmarks',
    summary: 'Build a set of test cases',
    description:
      'Generates programs, records their oracles by executing the reference code twice, translates them, and keeps a seeded sample of those that passed every filter. Phases: generate, oracle and translate (program by program), sample.',
    body: Type.Object(
      {
        kind: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description:
              'The kind of benchmark to build; by default the first kind that is built from programs',
          }),
        ),
        build: BuildRequest,
        provider: Type.Optional(RequestedProvider),
        budget: Type.Optional(UsageBudget),
        fresh: Type.Optional(
          Type.Boolean({
            description:
              'With agents: whether every question is asked again, including those already answered',
          }),
        ),
        recording: Type.Optional(
          Type.String({
            pattern: '^rec_[0-9a-f]{64}$',
            description:
              'With agents: a recording that answers every question instead of their models; leave out build.agents',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    success: {
      202: {
        description: 'Accepted. Location has the URL of the resource',
        schema: BenchmarkResource,
        example: buildingBenchmark,
      },
    },
    errors: [400, 409, 413, 415, 422, 429],
    example: { build: { scenario: 'session-service', programs: 60, keep: 40, seed: 1 } },
  },
  importBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/import',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Import a benchmark folder',
    description:
      'Takes the files of a benchmark folder. The service checks every file against its hash in the manifest and names a damaged one. Importing the same folder again returns the same resource.',
    body: BenchmarkFolder,
    bodyLimit: folderLimit,
    success: { 201: { description: 'Stored', schema: BenchmarkResource, example: importedBenchmark } },
    errors: [400, 413, 415, 422, 429],
    example: exampleFolder,
  },
  importDataset: {
    method: 'POST',
    path: '/v1/benchmarks/datasets',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Import the published data of a benchmark',
    description:
      'Takes the unchanged published files. The service validates, counts and hashes every entry, and names an invalid one. Importing the same files again returns the same resource. The example shows the form: the published files are longer, and all of them are required.',
    body: Dataset,
    bodyLimit: folderLimit,
    success: { 201: { description: 'Stored', schema: BenchmarkResource, example: importedDataset } },
    errors: [400, 413, 415, 422, 429],
    example: exampleDataset,
  },
  makeBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/samples',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Create a set of test cases from a seed',
    description:
      'For kinds whose samples need neither programs, published data nor a model. The same seed makes the same set, which is the same resource. The manifest counts the rejected samples by reason.',
    body: SeededSet,
    bodyLimit: folderLimit,
    success: { 201: { description: 'Stored', schema: BenchmarkResource, example: seededBenchmark } },
    errors: [400, 413, 415, 422, 429],
    example: { kind: 'complexfuncbench', samples: 2, seed: 1 },
  },
  writeBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/specifications',
    scope: 'run',
    work: true,
    tag: 'benchmarks',
    summary: 'Build a set of tasks for a specification',
    description:
      'A model writes one task with its solution for each endpoint of a specification (OpenAPI 3.0 or 3.1, or Swagger 2.0). The service checks each task against the specification. A task that fails returns to the model with the diagnosis, a bounded number of times, before it is rejected with the reason. A task that passes is executed and scored like an answer. People review tasks under /v1/benchmarks/{id}/reviews. Phases: write tasks, check, sample.',
    body: WritingRequest,
    bodyLimit: 64 * 2 ** 20,
    success: {
      202: {
        description: 'Accepted. Location has the URL of the resource',
        schema: BenchmarkResource,
        example: writingBenchmark,
      },
    },
    errors: [400, 409, 413, 415, 422, 429],
    example: {
      kind: 'wapiibench',
      id: 'shop',
      model: 'writer',
      specification:
        'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\nservers: [{ url: https://shop.example }]\npaths: { /orders: { get: { responses: { "200": { description: All orders } } } } }\n',
    },
  },
  planBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/specifications/plan',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Say what a build for a specification would ask for',
    description:
      'Takes the request of such a build, and asks no model. The plan has every endpoint, usable or skipped with the reason, and the number and size of the questions.',
    body: WritingRequest,
    bodyLimit: 64 * 2 ** 20,
    success: {
      200: {
        description: 'The plan',
        schema: SpecificationPlan,
        example: {
          endpoints: [
            {
              name: 'GET /orders',
              case: 'shop-0',
              arguments: { path: [], query: ['limit'], header: [], cookie: [], body: [] },
              security: ['header Authorization'],
            },
            {
              name: 'HEAD /orders',
              case: 'shop-1',
              skipped: 'the method head is not supported; supported: get, put, post, delete, patch',
            },
          ],
          usable: 1,
          questions: 1,
          promptTokens: 1200,
        },
      },
    },
    errors: [400, 413, 415, 422],
    example: {
      kind: 'wapiibench',
      id: 'shop',
      specification:
        'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\nservers: [{ url: https://shop.example }]\npaths: { /orders: { get: { responses: { "200": { description: All orders } } } } }\n',
    },
  },
  checkConformance: {
    method: 'POST',
    path: '/v1/benchmarks/specifications/check',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Check requests of programs against a specification',
    description:
      'Takes runs in a world that captures requests. Each captured request is compared with the specification: endpoint, arguments, values, authentication and media type.',
    body: ConformanceRequest,
    bodyLimit: 64 * 2 ** 20,
    success: {
      200: {
        description: 'The requests of each program, with their differences',
        schema: ConformanceResult,
        example: {
          programs: [
            { requests: [{ name: 'GET /orders', faults: ['the query parameter page is unknown'] }] },
          ],
        },
      },
    },
    errors: [400, 413, 415, 422],
    example: {
      kind: 'wapiibench',
      specification:
        'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\nservers: [{ url: https://shop.example }]\npaths: { /orders: { get: { responses: { "200": { description: All orders } } } } }\n',
      observations: [
        {
          ending: { status: 'completed', result: null },
          world: {
            state: {
              requests: [{ method: 'get', url: 'https://shop.example/orders?page=2', headers: {} }],
            },
            ids: { initial: [], created: [] },
            gone: [],
          },
          log: [],
          output: '',
          faults: [],
          wallMs: 12,
          sandbox: 'warm-jail',
        },
      ],
    },
  },
  listBenchmarks: {
    method: 'GET',
    path: '/v1/benchmarks',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'List benchmarks',
    description: 'Sorted by id, page by page.',
    query: defineIdQuery('bm'),
    success: {
      200: {
        description: 'A page',
        schema: definePage(BenchmarkResource),
        example: { items: [builtBenchmark] },
      },
    },
    errors: [400],
  },
  getBenchmark: {
    method: 'GET',
    path: '/v1/benchmarks/:id',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'Get a benchmark, with its status, statistics, and filtered cases by reason',
    description: 'The manifest is available once the build has succeeded.',
    params: IdParams,
    success: { 200: { description: 'The benchmark', schema: BenchmarkResource, example: builtBenchmark } },
    errors: [400, 404],
  },
  cancelBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/:id/cancel',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Stop a build',
    description: 'A finished build does not change.',
    params: IdParams,
    success: {
      200: { description: 'The benchmark', schema: BenchmarkResource, example: cancelledBenchmark },
    },
    errors: [400, 404],
  },
  deleteBenchmark: {
    method: 'DELETE',
    path: '/v1/benchmarks/:id',
    scope: 'run',
    tag: 'benchmarks',
    summary: 'Delete a benchmark and its cases',
    description:
      'Its evaluations keep their reports. A running evaluation blocks the deletion. Unused artifacts are deleted within two hours.',
    params: IdParams,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404, 409],
  },
})
