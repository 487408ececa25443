/** Imported sets of test cases, and a reviewed set. Recorded from a run. */
import type { BenchmarkFolder, BenchmarkResource, Dataset, Manifest } from '../evaluation/index.ts'
import { computeContentId, sha256 } from '../basics/canonical.ts'
import { exampleCase } from './case.ts'

const cases = `${JSON.stringify(exampleCase)}\n`

const described: Omit<Manifest, 'digest'> = {
  schema: 2,
  kind: 'stateeval',
  versions: { 'benchmark stateeval': '3', generator: '2', 'scenario session-service': '1' },
  seed: 1,
  options: { scenario: 'session-service' },
  counts: { generated: 1, passed: 1, kept: 1 },
  filtered: [],
  statistics: [],
  // Computed: a metric that is added to the case changes both.
  files: { 'cases.jsonl': sha256(cases) },
}
const manifest: Manifest = { ...described, digest: computeContentId(described) }

/** A complete set of one case for import. */
export const exampleFolder: BenchmarkFolder = { manifest, cases }

export const importedBenchmark: BenchmarkResource = {
  ...{
    id: 'bm_d60fce3e45aa6686b06',
    status: 'succeeded',
    createdAt: '2026-11-22T14:34:10.200Z',
    finishedAt: '2026-11-22T14:34:10.200Z',
    progress: { done: 1, total: 1, phase: 'sample' },
    links: {
      self: '/v1/benchmarks/bm_d60fce3e45aa6686b06',
      manifest: '/v1/benchmarks/bm_d60fce3e45aa6686b06/files/manifest.json',
      cases: '/v1/benchmarks/bm_d60fce3e45aa6686b06/cases',
      prompts: '/v1/benchmarks/bm_d60fce3e45aa6686b06/prompts',
    },
    kind: 'stateeval',
    origin: 'import',
  },
  manifest,
}

/** The set after people’s decisions about that build. */
export const reviewedBenchmark: BenchmarkResource = {
  ...importedBenchmark,
  id: 'bm_5b0c2a7d9e418f36c1d2',
  origin: 'review',
  reviewed: 'bm_0mwrxs2fs2b2656bafc',
}

/** One task and its specification; the published files contain more. */
export const exampleDataset: Dataset = {
  kind: 'wapiibench',
  files: {
    'tasks/asana.json':
      '{"samples":[{"task":"Get the task 1331.","config":{"url":"https://app.asana.com/api/1.0/tasks/1331","method":"get","headers":{"Accept":"application/json, text/plain, */*"}}}]}',
    'specs/asana.yaml':
      'openapi: 3.0.0\ninfo: { title: Asana, version: "1.0" }\nservers: [{ url: https://app.asana.com/api/1.0 }]\npaths:\n  /tasks/{task}:\n    get:\n      parameters: [{ name: task, in: path, required: true, schema: { type: string } }]\n      responses: { "200": { description: The task } }\n',
  },
}

/** All published data of WAPIIBench, with some hashes of its files. */
export const importedDataset: BenchmarkResource = {
  id: 'bm_79092293dec3f3591a1',
  status: 'succeeded',
  createdAt: '2026-11-22T14:35:09.614Z',
  finishedAt: '2026-11-22T14:35:09.614Z',
  progress: { done: 395, total: 395, phase: 'sample' },
  links: {
    self: '/v1/benchmarks/bm_79092293dec3f3591a1',
    manifest: '/v1/benchmarks/bm_79092293dec3f3591a1/files/manifest.json',
    cases: '/v1/benchmarks/bm_79092293dec3f3591a1/cases',
    prompts: '/v1/benchmarks/bm_79092293dec3f3591a1/prompts',
  },
  kind: 'wapiibench',
  origin: 'import',
  warnings: [
    'slack 102: config.params.dialog is missing, which the specification requires',
    'slack 102: config.params.trigger_id is missing, which the specification requires',
    'slack 102: config.data.trigger_id is undocumented: POST /dialog.open has no such property of the body',
    'slack 102: config.data.dialog is undocumented: POST /dialog.open has no such property of the body',
  ],
  manifest: {
    schema: 2,
    kind: 'wapiibench',
    seed: 0,
    options: {
      sources: {
        'tasks/asana.json': '0f4d1e8edf7a135f2b8ca8d453fd8c95c67070a56d6c18a16c00ebcfbf449c2a',
        'specs/asana.yaml': 'e2c89bf47fab78478a28e71f58bd4b6c24648779f062a33c624dc80874de4e5c',
      },
    },
    versions: { 'benchmark wapiibench': '1' },
    counts: { generated: 395, passed: 395, kept: 395 },
    filtered: [],
    statistics: [
      { scenario: 'asana', cases: 167, apis: 166, branches: 0, metrics: {} },
      { scenario: 'google_calendar_v3', cases: 37, apis: 37, branches: 0, metrics: {} },
      { scenario: 'google_sheet_v4', cases: 17, apis: 17, branches: 0, metrics: {} },
      { scenario: 'slack', cases: 174, apis: 173, branches: 0, metrics: {} },
    ],
    files: {
      'cases.jsonl': '3edf9794824846a4244e909bc26c0c9b6cc924e2fc2bd465eb4d997744f17166',
      'README.md': '1070054495b62b2e01ae9226c62e84a0ed8817d82c529e6793d4285f60b13d0b',
      'artifacts/5b5b8a877dcfe8483e294e153858ca5db8d2d3b3390c22152cc7e2d449755879':
        '5b5b8a877dcfe8483e294e153858ca5db8d2d3b3390c22152cc7e2d449755879',
    },
    digest: '722e1d47810d489f6536c13a08e06ba6477ee711499723954370c9d6a26c6179',
  },
}

/** The result of the example of POST /v1/benchmarks/samples. */
export const seededBenchmark: BenchmarkResource = {
  ...importedBenchmark,
  id: 'bm_3c81f4ad20b7596e4f0',
  progress: { done: 2, total: 2, phase: 'sample' },
  links: {
    self: '/v1/benchmarks/bm_3c81f4ad20b7596e4f0',
    manifest: '/v1/benchmarks/bm_3c81f4ad20b7596e4f0/files/manifest.json',
    cases: '/v1/benchmarks/bm_3c81f4ad20b7596e4f0/cases',
    prompts: '/v1/benchmarks/bm_3c81f4ad20b7596e4f0/prompts',
  },
  kind: 'complexfuncbench',
  manifest: {
    schema: 2,
    kind: 'complexfuncbench',
    seed: 1,
    options: {
      sources: { 'samples.jsonl': '3cf62bbf96890929243e701520d8bbc96a93e8b4aaefc8e0b01634a8efe3b055' },
      samples: 2,
    },
    versions: { 'benchmark complexfuncbench': '1', 'creation complexfuncbench': '1' },
    counts: { generated: 2, passed: 2, kept: 2 },
    filtered: [],
    statistics: [
      {
        scenario: 'Hotels',
        cases: 2,
        apis: 9,
        branches: 0,
        metrics: { steps: { mean: 3.5, min: 3, max: 4 }, calls: { mean: 4.5, min: 4, max: 5 } },
      },
    ],
    files: {
      'cases.jsonl': '8b902938abc77f43e978f58e8d516dacd70a0c49136e1c55ea71f58c4a245e01',
      'README.md': '688c5241466a02a036eebef4da8fb20fb68eaf3afa5d317ab4fed60f43d63b1e',
      'artifacts/04495c420e8c845a7c858e85847ce9724e88caa992f610f61fef34760b21295c':
        '04495c420e8c845a7c858e85847ce9724e88caa992f610f61fef34760b21295c',
      'artifacts/f91a67462e76f7a322ccdc65ef296fb25a3d5161a6cfafab82f9c8752b046114':
        'f91a67462e76f7a322ccdc65ef296fb25a3d5161a6cfafab82f9c8752b046114',
    },
    digest: 'd4c3edf1884abc4a5b7ea42ac44d6ca18c1561f8831ae34006014be4f01b9d45',
  },
}
