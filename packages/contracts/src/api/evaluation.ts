/** The operations of the evaluation service, the suite's public face: benchmarks, models, evaluations. */
import Type from 'typebox'
import { BenchmarkCase } from '../case.ts'
import { ComparisonRequest, ComparisonResource } from '../comparison.ts'
import {
  BenchmarkFolder,
  BenchmarkResource,
  BuildRequest,
  Dataset,
  DocumentationName,
  EvaluationRequest,
  EvaluationResource,
  PromptingName,
  Recording,
  ReferenceAnswer,
  Report,
  SampleAnswer,
  WritingRequest,
} from '../evaluation.ts'
import {
  buildingBenchmark,
  builtBenchmark,
  cancelledBenchmark,
  writingBenchmark,
} from '../examples/benchmarks.ts'
import { exampleCase } from '../examples/case.ts'
import { exampleComparison } from '../examples/comparison.ts'
import {
  cancelledEvaluation,
  exampleAnswer,
  exampleEvaluation,
  exampleRecording,
  exampleReference,
  failedSample,
  passedSample,
  recordingText,
  runningEvaluation,
} from '../examples/evaluations.ts'
import {
  exampleDataset,
  exampleFolder,
  importedBenchmark,
  importedDataset,
  reviewedBenchmark,
} from '../examples/imports.ts'
import { builtInModel, exampleModel } from '../examples/models.ts'
import { exampleReport } from '../examples/report.ts'
import { decidedReview, exampleDecision, exampleReview } from '../examples/review.ts'
import { Language } from '../execution.ts'
import { IdempotencyHeaders, IdParams, idQuery, page, pageQuery, PlaceQuery } from '../job.ts'
import { Budget, Model, ModelName, modelNamePattern, ModelSettings } from '../model.ts'
import { Bytes, defineOperations, Events } from '../operation.ts'
import { ScoredSample } from '../report.ts'
import { Seed } from '../seed.ts'
import { Review, ReviewDecision } from '../review.ts'

const SampleQuery = Type.Object(
  {
    ...PlaceQuery.properties,
    case: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only samples of this case' }),
    ),
  },
  { additionalProperties: false },
)
const NameParams = Type.Object({ name: ModelName })
/** A folder of this size in one body; larger sets come with chunked uploads. */
const folderLimit = 256 * 2 ** 20

export const evaluationOperations = defineOperations({
  createBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks',
    tag: 'benchmarks',
    summary: 'Build a set of test cases',
    description:
      'Generates programs, records their oracles by executing the reference code twice, translates them, and keeps a seeded sample of those that passed every filter. Phases: generate, oracle and translate (program by program), sample.',
    headers: IdempotencyHeaders,
    body: Type.Object(
      {
        kind: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description:
              'What kind of benchmark the programs become; by default the first that is built from programs',
          }),
        ),
        build: BuildRequest,
        budget: Type.Optional(Budget),
        fresh: Type.Optional(
          Type.Boolean({ description: 'With agents: asks anew also what was answered before' }),
        ),
        recording: Type.Optional(
          Type.String({
            pattern: '^rec_[0-9a-f]{64}$',
            description:
              'With agents: answers every question, in place of their models; build.agents is left out',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    success: {
      202: {
        description: 'Accepted; Location names the resource',
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
    tag: 'benchmarks',
    summary: 'Import a benchmark folder',
    description:
      'Takes the files of a benchmark folder. Every file is held against its hash in the manifest, and a torn one is named. The same folder again is the same resource.',
    body: BenchmarkFolder,
    bodyLimit: folderLimit,
    success: { 201: { description: 'Stored', schema: BenchmarkResource, example: importedBenchmark } },
    errors: [400, 413, 415, 422, 429],
    example: exampleFolder,
  },
  importDataset: {
    method: 'POST',
    path: '/v1/benchmarks/datasets',
    tag: 'benchmarks',
    summary: 'Import the published data of a benchmark',
    description:
      'Takes the files as they were published. Every entry is validated, counted and hashed; a broken one is named. The same files again are the same resource. The example shows the form: the published files are longer, and all of them are needed.',
    body: Dataset,
    bodyLimit: folderLimit,
    success: { 201: { description: 'Stored', schema: BenchmarkResource, example: importedDataset } },
    errors: [400, 413, 415, 422, 429],
    example: exampleDataset,
  },
  writeBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/specifications',
    tag: 'benchmarks',
    summary: 'Build a set of tasks for a specification',
    description:
      'A model writes one task with its solution for each endpoint of an OpenAPI 3.0 or 3.1 specification. Each is held against the specification; what fails goes back to the model with the diagnosis, a bounded number of times, and is then rejected with the reason. What passes is executed and scored as an answer would be. People decide about tasks under /v1/benchmarks/{id}/reviews. Phases: write tasks, check, sample.',
    headers: IdempotencyHeaders,
    body: WritingRequest,
    bodyLimit: 64 * 2 ** 20,
    success: {
      202: {
        description: 'Accepted; Location names the resource',
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
  listBenchmarks: {
    method: 'GET',
    path: '/v1/benchmarks',
    tag: 'benchmarks',
    summary: 'List benchmarks',
    description: 'In the order of their ids, page by page.',
    query: idQuery('bm'),
    success: {
      200: { description: 'A page', schema: page(BenchmarkResource), example: { items: [builtBenchmark] } },
    },
    errors: [400],
  },
  getBenchmark: {
    method: 'GET',
    path: '/v1/benchmarks/:id',
    tag: 'benchmarks',
    summary: 'A benchmark: status, statistics, what was filtered and why',
    description: 'The manifest is there once the build has succeeded.',
    params: IdParams,
    success: { 200: { description: 'The benchmark', schema: BenchmarkResource, example: builtBenchmark } },
    errors: [400, 404],
  },
  getBenchmarkFile: {
    method: 'GET',
    path: '/v1/benchmarks/:id/files/:file',
    etag: 'immutable',
    tag: 'benchmarks',
    summary: 'A file of the benchmark folder',
    description: 'Byte for byte what the manifest has the hash of: manifest.json, cases.jsonl or README.md.',
    params: Type.Object({
      id: IdParams.properties.id,
      file: Type.Union([
        Type.Literal('manifest.json'),
        Type.Literal('cases.jsonl'),
        Type.Literal('README.md'),
      ]),
    }),
    success: {
      200: {
        description: 'The file',
        schema: Type.String(),
        contentType: 'text/plain',
        example: `${JSON.stringify(exampleCase)}\n`,
      },
    },
    errors: [400, 404, 409],
  },
  getBenchmarkArtifact: {
    method: 'GET',
    path: '/v1/benchmarks/:id/files/artifacts/:sha256',
    etag: 'immutable',
    tag: 'benchmarks',
    summary: 'An artifact of the benchmark folder',
    description: 'Large initial values, by the hash of their bytes.',
    params: Type.Object({ id: IdParams.properties.id, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
    success: { 200: { description: 'The bytes', schema: Bytes, contentType: 'application/octet-stream' } },
    errors: [400, 404, 409],
  },
  listBenchmarkCases: {
    method: 'GET',
    path: '/v1/benchmarks/:id/cases',
    tag: 'benchmarks',
    summary: 'The test cases, page by page',
    description: 'In the order of cases.jsonl, with program and oracles.',
    params: IdParams,
    query: PlaceQuery,
    success: {
      200: { description: 'A page', schema: page(BenchmarkCase), example: { items: [exampleCase] } },
    },
    errors: [400, 404, 409],
  },
  getBenchmarkCase: {
    method: 'GET',
    path: '/v1/benchmarks/:id/cases/:case',
    tag: 'benchmarks',
    summary: 'One test case',
    description: 'With program and oracles.',
    params: Type.Object({ id: IdParams.properties.id, case: Type.String({ minLength: 1, maxLength: 200 }) }),
    success: { 200: { description: 'The case', schema: BenchmarkCase, example: exampleCase } },
    errors: [400, 404, 409],
  },
  getBenchmarkReference: {
    method: 'GET',
    path: '/v1/benchmarks/:id/cases/:case/reference',
    tag: 'benchmarks',
    summary: 'The reference answer of a test case',
    description: 'The instruction, and an answer that passes, in one language.',
    params: Type.Object({ id: IdParams.properties.id, case: Type.String({ minLength: 1, maxLength: 200 }) }),
    query: Type.Object({ language: Type.Optional(Language) }),
    success: { 200: { description: 'The reference', schema: ReferenceAnswer, example: exampleReference } },
    errors: [400, 404, 409],
  },
  getBenchmarkPrompts: {
    method: 'GET',
    path: '/v1/benchmarks/:id/prompts',
    tag: 'benchmarks',
    summary: 'Prompts as JSONL, to be answered elsewhere',
    description:
      'One line a case: { case, messages }. Answer them anywhere, then start an evaluation with `answers`.',
    params: IdParams,
    query: Type.Object({
      language: Type.Optional(Language),
      prompting: Type.Optional(PromptingName),
      documentation: Type.Optional(DocumentationName),
      shots: Type.Optional(Type.Integer({ minimum: 1, maximum: 16, default: 3 })),
      setup: Type.Optional(Type.String({ maxLength: 100 })),
      layout: Type.Optional(Type.String({ maxLength: 100 })),
      seed: Type.Optional(Seed),
    }),
    success: {
      200: {
        description: 'JSON lines',
        schema: Type.String(),
        contentType: 'application/jsonl',
        example: `${JSON.stringify({ case: exampleCase.id, messages: [{ role: 'user', content: 'Write one JavaScript program that …' }] })}\n`,
      },
    },
    errors: [400, 404, 409, 422],
  },
  listReviews: {
    method: 'GET',
    path: '/v1/benchmarks/:id/reviews',
    tag: 'benchmarks',
    summary: 'The instructions that agents made, or the tasks that a model wrote, with their evidence',
    description:
      'In the order of generation: what was verified, what was rejected and why, and what a person must decide, with the dialogue of the agents and the code written from the instruction alone.',
    params: IdParams,
    query: Type.Object({
      ...PlaceQuery.properties,
      status: Type.Optional(
        Type.Union([Type.Literal('verified'), Type.Literal('rejected'), Type.Literal('needs_review')]),
      ),
    }),
    success: { 200: { description: 'A page', schema: page(Review), example: { items: [exampleReview] } } },
    errors: [400, 404, 409],
  },
  decideReview: {
    method: 'POST',
    path: '/v1/benchmarks/:id/reviews/:case',
    tag: 'benchmarks',
    summary: 'Accept, reject or edit an instruction, or a task that a model wrote',
    description:
      'Kept with who, when and why, beside all earlier decisions. A task that a model wrote is accepted or edited with answers to the review’s questions; an edit is held against the specification. The set stays as it is: a set that follows the decisions is made by POST /v1/benchmarks/{id}/reviewed.',
    params: Type.Object({ id: IdParams.properties.id, case: Type.String({ minLength: 1, maxLength: 200 }) }),
    body: ReviewDecision,
    success: { 200: { description: 'The review', schema: Review, example: decidedReview } },
    errors: [400, 404, 409, 413, 415, 422],
    example: exampleDecision,
  },
  createReviewedBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/:id/reviewed',
    tag: 'benchmarks',
    summary: 'Make the set that follows the decisions',
    description:
      'The same build with what people accepted or edited let in and what they rejected left out, drawn with the same seed. The same decisions again are the same resource.',
    params: IdParams,
    success: { 201: { description: 'Made', schema: BenchmarkResource, example: reviewedBenchmark } },
    errors: [400, 404, 409, 422],
  },
  getBenchmarkRecording: {
    method: 'GET',
    path: '/v1/benchmarks/:id/recording',
    tag: 'benchmarks',
    summary: 'The answers of the models that wrote a set, as a file',
    description:
      'JSON lines: what an import elsewhere needs to build the same set without the model. Holds no key.',
    params: IdParams,
    success: {
      200: {
        description: 'JSON lines',
        schema: Type.String(),
        contentType: 'application/jsonl',
        example: recordingText,
      },
    },
    errors: [400, 404, 409],
  },
  cancelBenchmark: {
    method: 'POST',
    path: '/v1/benchmarks/:id/cancel',
    tag: 'benchmarks',
    summary: 'Stop a build',
    description: 'A build that has ended stays as it is.',
    params: IdParams,
    success: {
      200: { description: 'The benchmark', schema: BenchmarkResource, example: cancelledBenchmark },
    },
    errors: [400, 404],
  },
  deleteBenchmark: {
    method: 'DELETE',
    path: '/v1/benchmarks/:id',
    tag: 'benchmarks',
    summary: 'Delete a benchmark and its cases',
    description: 'Evaluations of it keep their reports. One that is running holds the benchmark.',
    params: IdParams,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404, 409],
  },
  putModel: {
    method: 'PUT',
    path: '/v1/models/:name',
    tag: 'models',
    summary: 'Name a model',
    description:
      'Any OpenAI-compatible endpoint. The key is named, never sent: it is read from the service’s environment when it is needed, and sent to the hosts alone that the environment lists for it. Hosts that are not public are refused unless STATEEVAL_MODEL_NETWORKS lists them.',
    params: NameParams,
    body: ModelSettings,
    success: { 200: { description: 'The model', schema: Model, example: exampleModel } },
    errors: [400, 404, 409, 413, 415, 422],
    example: { baseUrl: 'http://127.0.0.1:8000/v1', model: 'qwen3-coder', parameters: { temperature: 0 } },
  },
  getModel: {
    method: 'GET',
    path: '/v1/models/:name',
    tag: 'models',
    summary: 'A model',
    description: 'A named endpoint, or a built-in.',
    params: NameParams,
    success: { 200: { description: 'The model', schema: Model, example: exampleModel } },
    errors: [400, 404],
  },
  listModels: {
    method: 'GET',
    path: '/v1/models',
    tag: 'models',
    summary: 'List models',
    description: 'The built-ins first, then the named endpoints by name.',
    query: pageQuery(modelNamePattern),
    success: {
      200: { description: 'A page', schema: page(Model), example: { items: [builtInModel, exampleModel] } },
    },
    errors: [400],
  },
  deleteModel: {
    method: 'DELETE',
    path: '/v1/models/:name',
    tag: 'models',
    summary: 'Forget a model',
    description: 'Running evaluations of it end with what they have.',
    params: NameParams,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404, 409],
  },
  createEvaluation: {
    method: 'POST',
    path: '/v1/evaluations',
    tag: 'evaluations',
    summary: 'Evaluate a model, or answers made elsewhere',
    description:
      'First the truth of every case is replayed here; a set whose truth does not pass is refused with the cases named. Phases: self-check, evaluate, second opinions (where they are wanted), report.',
    headers: IdempotencyHeaders,
    body: EvaluationRequest,
    bodyLimit: folderLimit,
    success: {
      202: {
        description: 'Accepted; Location names the resource',
        schema: EvaluationResource,
        example: runningEvaluation,
      },
    },
    errors: [400, 404, 409, 413, 415, 422, 429],
    example: { benchmark: importedBenchmark.id, model: 'qwen', budget: { usd: 2 } },
  },
  listEvaluations: {
    method: 'GET',
    path: '/v1/evaluations',
    tag: 'evaluations',
    summary: 'List evaluations',
    description: 'In the order of their ids, page by page.',
    query: idQuery('ev'),
    success: {
      200: {
        description: 'A page',
        schema: page(EvaluationResource),
        example: { items: [exampleEvaluation] },
      },
    },
    errors: [400],
  },
  getEvaluation: {
    method: 'GET',
    path: '/v1/evaluations/:id',
    tag: 'evaluations',
    summary: 'An evaluation: status, progress, links',
    description: 'Counts grow while it runs.',
    params: IdParams,
    success: {
      200: { description: 'The evaluation', schema: EvaluationResource, example: exampleEvaluation },
    },
    errors: [400, 404],
  },
  getEvaluationResults: {
    method: 'GET',
    path: '/v1/evaluations/:id/results',
    tag: 'evaluations',
    summary: 'Scored samples, page by page',
    description: 'By case and sample, or those of one case; also while it runs, as far as it has come.',
    params: IdParams,
    query: SampleQuery,
    success: {
      200: {
        description: 'A page',
        schema: page(ScoredSample),
        example: { items: [passedSample, failedSample] },
      },
    },
    errors: [400, 404, 409],
  },
  getEvaluationAnswers: {
    method: 'GET',
    path: '/v1/evaluations/:id/answers',
    tag: 'evaluations',
    summary: 'What samples were answered, page by page',
    description:
      'By case and sample, or those of one case; also while it runs, as far as it has come. A page of long answers ends before its limit. Without `finish`, and but for those that are null, they are what `answers` of an evaluation takes.',
    params: IdParams,
    query: SampleQuery,
    success: {
      200: { description: 'A page', schema: page(SampleAnswer), example: { items: [exampleAnswer] } },
    },
    errors: [400, 404, 409],
  },
  getEvaluationReport: {
    method: 'GET',
    path: '/v1/evaluations/:id/report',
    tag: 'evaluations',
    summary: 'The report',
    description:
      '`result` is byte-identical for the same benchmark, answers and version; `run` is how it went. Of an evaluation that runs, failed or was cancelled it tells of the samples that have ended, and `result.partial` says so; before the first sample starts there is none.',
    params: IdParams,
    query: Type.Object({ format: Type.Optional(Type.Literal('json')) }),
    success: { 200: { description: 'The report', schema: Report, example: exampleReport } },
    errors: [400, 404, 409],
  },
  getEvaluationEvents: {
    method: 'GET',
    path: '/v1/evaluations/:id/events',
    tag: 'evaluations',
    summary: 'Progress as server-sent events',
    description: 'Each `progress` event is the evaluation resource; the stream ends after the `end` event.',
    params: IdParams,
    success: {
      200: {
        description: 'text/event-stream',
        schema: Events,
        contentType: 'text/event-stream',
        example: `event: progress\ndata: ${JSON.stringify(exampleEvaluation)}\n\nevent: end\ndata: {"status":"succeeded"}\n\n`,
      },
    },
    errors: [400, 404],
  },
  cancelEvaluation: {
    method: 'POST',
    path: '/v1/evaluations/:id/cancel',
    tag: 'evaluations',
    summary: 'Stop an evaluation',
    description: 'What is done is kept; it can be resumed. One that has ended stays as it is.',
    params: IdParams,
    success: {
      200: { description: 'The evaluation', schema: EvaluationResource, example: cancelledEvaluation },
    },
    errors: [400, 404],
  },
  resumeEvaluation: {
    method: 'POST',
    path: '/v1/evaluations/:id/resume',
    tag: 'evaluations',
    summary: 'Go on with an evaluation',
    description:
      'A cancelled or failed evaluation goes on with what was not done; done samples are not asked again. One that stopped at its budget needs a larger one.',
    params: IdParams,
    body: Type.Object({ budget: Type.Optional(Budget) }, { additionalProperties: false, default: {} }),
    success: {
      202: { description: 'The evaluation', schema: EvaluationResource, example: runningEvaluation },
    },
    errors: [400, 404, 409, 413, 415, 422],
    example: { budget: { usd: 2 } },
  },
  getEvaluationRecording: {
    method: 'GET',
    path: '/v1/evaluations/:id/recording',
    tag: 'evaluations',
    summary: 'The model’s answers as a file',
    description:
      'JSON lines: what an import elsewhere needs to repeat the evaluation without the model. Holds no key.',
    params: IdParams,
    success: {
      200: {
        description: 'JSON lines',
        schema: Type.String(),
        contentType: 'application/jsonl',
        example: recordingText,
      },
    },
    errors: [400, 404, 409],
  },
  importRecording: {
    method: 'POST',
    path: '/v1/recordings',
    tag: 'evaluations',
    summary: 'Import a recording',
    description:
      'The text of a recording. The same text again is the same resource. An evaluation, or a build, names it instead of a model.',
    body: Type.Object(
      { text: Type.String({ minLength: 2, description: 'The JSON lines' }) },
      { additionalProperties: false },
    ),
    bodyLimit: folderLimit,
    success: { 201: { description: 'Stored', schema: Recording, example: exampleRecording } },
    errors: [400, 413, 415, 422],
    example: { text: recordingText },
  },
  createComparison: {
    method: 'POST',
    path: '/v1/comparisons',
    tag: 'comparisons',
    summary: 'Compare evaluations',
    description:
      'Evaluations of one benchmark, compared pair by pair on the cases that both scored: exact McNemar test (sign-flip permutation test where cases have several samples), paired bootstrap by case, Holm’s correction for all pairs, and the least difference that the set could have shown. The same evaluations in the same order are the same comparison.',
    body: ComparisonRequest,
    success: {
      201: {
        description: 'Made; Location names the resource',
        schema: ComparisonResource,
        example: exampleComparison,
      },
    },
    errors: [400, 404, 409, 413, 415, 422, 429],
    example: { evaluations: ['ev_0123456789abcdef', 'ev_fedcba9876543210'] },
  },
  listComparisons: {
    method: 'GET',
    path: '/v1/comparisons',
    tag: 'comparisons',
    summary: 'List comparisons',
    description: 'In the order of their ids, page by page.',
    query: idQuery('cmp'),
    success: {
      200: {
        description: 'A page',
        schema: page(ComparisonResource),
        example: { items: [exampleComparison] },
      },
    },
    errors: [400],
  },
  getComparison: {
    method: 'GET',
    path: '/v1/comparisons/:id',
    tag: 'comparisons',
    summary: 'A comparison',
    description: 'The evaluations side by side, with a test of every two. It never changes.',
    params: IdParams,
    success: {
      200: { description: 'The comparison', schema: ComparisonResource, example: exampleComparison },
    },
    errors: [400, 404],
  },
})
