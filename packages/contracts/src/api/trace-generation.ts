/** The operations of trace-generation: scenarios, generations, and the analysis of programs. */
import Type from 'typebox'
import { Sha256 } from '../basics/sha256.ts'
import { exampleCase } from '../examples/case.ts'
import {
  cancelledGeneration,
  exampleCoverage,
  exampleGeneration,
  exampleScenario,
  queuedGeneration,
} from '../examples/generations.ts'
import { exampleCode } from '../program-example.ts'
import { Language } from '../execution.ts'
import {
  Generation,
  GenerationCoverage,
  GenerationRequest,
  ProgramMetrics,
  ProgramPage,
  ScenarioSummary,
} from '../generation.ts'
import { IdParams, definePage, definePageQuery, PositionQuery } from '../job.ts'
import { Bytes, defineOperations } from '../operation.ts'
import { exampleProgram, Program } from '../program.ts'

const closedObject = { additionalProperties: false } as const

export const traceGenerationOperations = defineOperations({
  listScenarios: {
    method: 'GET',
    path: '/v1/scenarios',
    scope: 'read',
    tag: 'scenarios',
    summary: 'List scenarios',
    description: 'The API worlds for which programs can be generated, with their APIs.',
    query: definePageQuery('^[a-z0-9-]{1,100}$'),
    success: {
      200: {
        description: 'A page of scenarios',
        schema: definePage(ScenarioSummary),
        example: { items: [exampleScenario] },
      },
    },
    errors: [400],
  },
  getScenario: {
    method: 'GET',
    path: '/v1/scenarios/:id',
    scope: 'read',
    tag: 'scenarios',
    summary: 'Get a scenario',
    description: 'The scenario’s APIs, and the world that its programs run against.',
    params: IdParams,
    success: { 200: { description: 'The scenario', schema: ScenarioSummary, example: exampleScenario } },
    errors: [400, 404],
  },
  getScenarioDocumentation: {
    method: 'GET',
    path: '/v1/scenarios/:id/documentation',
    scope: 'read',
    etag: 'revalidated',
    tag: 'scenarios',
    summary: 'Read a scenario’s API documentation',
    description: 'The text that a model under test reads, for the language of its answers.',
    params: IdParams,
    query: Type.Object(
      { language: Type.Optional(Type.Union(Language.anyOf, { default: 'javascript' })) },
      closedObject,
    ),
    success: {
      200: {
        description: 'Markdown',
        schema: Type.Object({ language: Language, markdown: Type.String() }, closedObject),
        example: {
          language: 'javascript',
          markdown: '# Session Service\n\nA REST service that stores sessions. …\n',
        },
      },
    },
    errors: [400, 404],
  },
  createGeneration: {
    method: 'POST',
    path: '/v1/generations',
    scope: 'run',
    tag: 'generations',
    summary: 'Generate programs',
    description:
      'Starts a generation and responds immediately. The same options and versions give the same programs, byte for byte.',
    body: GenerationRequest,
    success: {
      202: {
        description: 'Accepted. Location has the URL of the generation',
        schema: Generation,
        example: queuedGeneration,
      },
    },
    errors: [400, 409, 413, 415, 422, 429],
    example: { scenario: 'session-service', count: 20, length: 5, seed: 1, strategy: 'planned' },
  },
  getGeneration: {
    method: 'GET',
    path: '/v1/generations/:id',
    scope: 'read',
    tag: 'generations',
    summary: 'Get a generation',
    description: 'Status and progress; statistics once it has succeeded.',
    params: IdParams,
    success: { 200: { description: 'The generation', schema: Generation, example: exampleGeneration } },
    errors: [400, 404],
  },
  listGenerationPrograms: {
    method: 'GET',
    path: '/v1/generations/:id/programs',
    scope: 'read',
    tag: 'generations',
    summary: 'List a generation’s programs',
    description:
      'In the order of generation, page by page. While the generation runs, the list has the programs so far.',
    params: IdParams,
    query: PositionQuery,
    success: {
      200: {
        description: 'A page of programs',
        schema: ProgramPage,
        example: { items: [exampleCase.program] },
      },
    },
    errors: [400, 404],
  },
  getGenerationCoverage: {
    method: 'GET',
    path: '/v1/generations/:id/coverage',
    scope: 'read',
    etag: 'immutable',
    tag: 'generations',
    summary: 'Get a generation’s coverage',
    description:
      'Adjacent and state-linked pairs after each program (StateEval, equation 3), and the dropped programs by reason.',
    params: IdParams,
    success: { 200: { description: 'The coverage', schema: GenerationCoverage, example: exampleCoverage } },
    errors: [400, 404, 409],
  },
  getGenerationArtifact: {
    method: 'GET',
    path: '/v1/generations/:id/artifacts/:sha256',
    scope: 'read',
    etag: 'immutable',
    tag: 'generations',
    summary: 'A file that a program of the generation names',
    description:
      'Initial values that are stored next to programs, such as tensors (safetensors), named by the hash of their bytes.',
    params: Type.Object({ id: IdParams.properties.id, sha256: Sha256 }),
    success: { 200: { description: 'The bytes', schema: Bytes, contentType: 'application/octet-stream' } },
    errors: [400, 404],
  },
  cancelGeneration: {
    method: 'POST',
    path: '/v1/generations/:id/cancel',
    scope: 'run',
    tag: 'generations',
    summary: 'Cancel a generation',
    description: 'Stops the generation and keeps its programs so far. A finished generation does not change.',
    params: IdParams,
    success: { 200: { description: 'The generation', schema: Generation, example: cancelledGeneration } },
    errors: [400, 404],
  },
  emitPrograms: {
    method: 'POST',
    path: '/v1/programs/emit',
    scope: 'run',
    tag: 'programs',
    summary: 'Write programs in a language',
    description:
      'The reference code of each program, without its initialisation block, because variables are globals of a run.',
    body: Type.Object(
      { language: Language, programs: Type.Array(Program, { minItems: 1, maxItems: 500 }) },
      closedObject,
    ),
    bodyLimit: 16 * 2 ** 20,
    success: {
      200: {
        description: 'Source texts, in the order of the programs',
        schema: Type.Object({ language: Language, code: Type.Array(Type.String()) }, closedObject),
        example: { language: 'javascript', code: [exampleCode] },
      },
    },
    errors: [400, 413, 415, 422],
    example: { language: 'javascript', programs: [exampleProgram] },
  },
  measurePrograms: {
    method: 'POST',
    path: '/v1/programs/metrics',
    scope: 'run',
    tag: 'programs',
    summary: 'Measure programs',
    description:
      'Static metrics of each program: tokens, call sites, path depth, bindings (StateEval, Table I).',
    body: Type.Object(
      {
        language: Type.Optional(Type.Union(Language.anyOf, { default: 'javascript' })),
        programs: Type.Array(Program, { minItems: 1, maxItems: 500 }),
        instructions: Type.Optional(
          Type.Array(Type.String({ maxLength: 100_000 }), {
            maxItems: 500,
            description: 'The instruction of each program, to be measured as well',
          }),
        ),
      },
      closedObject,
    ),
    bodyLimit: 16 * 2 ** 20,
    success: {
      200: {
        description: 'Metrics, in the order of the programs',
        schema: Type.Object({ metrics: Type.Array(ProgramMetrics) }, closedObject),
        example: {
          metrics: [
            {
              codeTokens: 36,
              functionCalls: 1,
              pathDepth: 0,
              bindingCount: 0,
              releasedCodeTokens: 47,
              releasedFunctionCalls: 3,
              releasedPathDepth: 1,
              releasedBindingCount: 1,
            },
          ],
        },
      },
    },
    errors: [400, 413, 415, 422],
    example: { programs: [exampleProgram] },
  },
})
