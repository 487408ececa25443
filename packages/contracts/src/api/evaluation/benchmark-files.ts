/** The content of a benchmark: files, cases, references, prompts, and the recording of its writing. */
import Type from 'typebox'
import { Sha256 } from '../../basics/sha256.ts'
import { BenchmarkCase } from '../../case.ts'
import {
  BenchmarkCoverage,
  DocumentationName,
  ModeName,
  PromptingName,
  ReferenceAnswer,
  RoundTrip,
} from '../../evaluation/index.ts'
import { exampleCoverageOfSet } from '../../examples/benchmarks.ts'
import { exampleCase } from '../../examples/case.ts'
import { exampleReference, recordingText } from '../../examples/evaluations.ts'
import { Language } from '../../execution.ts'
import { IdParams, PositionQuery, definePage } from '../../job.ts'
import { Bytes, defineOperations } from '../../operation.ts'
import { Seed } from '../../basics/seed.ts'
import { CaseParams } from './shared.ts'

export const benchmarkFileOperations = defineOperations({
  getBenchmarkFile: {
    method: 'GET',
    path: '/v1/benchmarks/:id/files/:file',
    scope: 'read',
    etag: 'immutable',
    tag: 'benchmarks',
    summary: 'A file of the benchmark folder',
    description: 'The exact bytes that the manifest’s hash covers: manifest.json, cases.jsonl or README.md.',
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
    scope: 'read',
    etag: 'immutable',
    tag: 'benchmarks',
    summary: 'An artifact of the benchmark folder',
    description: 'Large initial values, named by the hash of their bytes.',
    params: Type.Object({ id: IdParams.properties.id, sha256: Sha256 }),
    success: { 200: { description: 'The bytes', schema: Bytes, contentType: 'application/octet-stream' } },
    errors: [400, 404, 409],
  },
  listBenchmarkCases: {
    method: 'GET',
    path: '/v1/benchmarks/:id/cases',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'The test cases, page by page',
    description: 'Cases in the order of cases.jsonl, with program and oracles.',
    params: IdParams,
    query: PositionQuery,
    success: {
      200: { description: 'A page', schema: definePage(BenchmarkCase), example: { items: [exampleCase] } },
    },
    errors: [400, 404, 409],
  },
  getBenchmarkCase: {
    method: 'GET',
    path: '/v1/benchmarks/:id/cases/:case',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'One test case',
    description: 'The case with its program and oracles.',
    params: CaseParams,
    success: { 200: { description: 'The case', schema: BenchmarkCase, example: exampleCase } },
    errors: [400, 404, 409],
  },
  getBenchmarkReference: {
    method: 'GET',
    path: '/v1/benchmarks/:id/cases/:case/reference',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'The reference answer of a test case',
    description: 'The instruction and a passing answer in one language.',
    params: CaseParams,
    query: Type.Object({ language: Type.Optional(Language) }),
    success: { 200: { description: 'The reference', schema: ReferenceAnswer, example: exampleReference } },
    errors: [400, 404, 409],
  },
  getBenchmarkCoverage: {
    method: 'GET',
    path: '/v1/benchmarks/:id/coverage',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'How much of its scenarios a benchmark covers',
    description:
      'By scenario: coverage after each program, of those that were generated and of the kept cases, and the pairs of APIs that are neighbours or linked by a state. While the set is being built, covers the programs generated so far.',
    params: IdParams,
    success: {
      200: { description: 'The coverage', schema: BenchmarkCoverage, example: exampleCoverageOfSet },
    },
    errors: [400, 404, 409],
  },
  getBenchmarkRoundTrip: {
    method: 'GET',
    path: '/v1/benchmarks/:id/round-trip',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'Check whether instructions can be parsed back to their programs',
    description:
      'Reads every instruction with the parser of the template translator. Part of a truth certificate.',
    params: IdParams,
    success: {
      200: {
        description: 'Counts',
        schema: RoundTrip,
        example: { cases: 40, verified: 39, others: ['session-service-b7e6e072e94e'] },
      },
    },
    errors: [400, 404, 409],
  },
  getBenchmarkPrompts: {
    method: 'GET',
    path: '/v1/benchmarks/:id/prompts',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'Prompts as JSONL, to be answered elsewhere',
    description:
      'One line per case: { case, messages }, and tools if the model may call some. In the mode tools, one line per input of a case: each input has a separate dialogue, which ends by the tool in `ends`. Answer them anywhere, then start an evaluation with `answers`.',
    params: IdParams,
    query: Type.Object({
      case: Type.Optional(Type.String({ maxLength: 200, description: 'Only this case; all by default' })),
      mode: Type.Optional(ModeName),
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
  getBenchmarkRecording: {
    method: 'GET',
    path: '/v1/benchmarks/:id/recording',
    scope: 'read',
    tag: 'benchmarks',
    summary: 'The answers of the models that wrote a benchmark, as a file',
    description:
      'JSON lines. Import the file into another installation to build the same set without the model. It contains no key.',
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
})
