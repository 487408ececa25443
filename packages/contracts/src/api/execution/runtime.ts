/** The runtime of executions, and the available worlds. */
import Type, { type Static } from 'typebox'
import { defineRecord } from '../../basics/record.ts'
import { exampleRuntime } from '../../examples/executions.ts'
import { Language, ExecutionLimits } from '../../execution.ts'
import { definePage } from '../../job.ts'
import { ModelTool } from '../../model.ts'
import { defineOperations } from '../../operation.ts'
import { FoundProvider } from '../../tensor.ts'

const closedObject = { additionalProperties: false } as const

/** A Python interpreter that was examined for programs. */
export const Interpreter = Type.Object(
  {
    path: Type.String(),
    source: Type.Union([Type.Literal('STATEEVAL_PYTHON'), Type.Literal('PATH'), Type.Literal('default')], {
      description: 'Origin of the path: the setting, PATH, or the usual places',
    }),
    version: Type.Optional(Type.String()),
    problem: Type.Optional(
      Type.String({ description: 'Why programs cannot use this interpreter; absent for the one in use' }),
    ),
  },
  closedObject,
)
export type Interpreter = Static<typeof Interpreter>

/** The runtime of executions; results with equal fingerprints are comparable. */
export const RuntimeInfo = Type.Object(
  {
    sandbox: Type.String({
      description:
        'The default level of isolation: gvisor, process-jail, warm-jail, or unsafe-process if the operator chose it',
    }),
    languages: Type.Array(Language),
    versions: defineRecord(Type.String(), {
      description: 'Versions that candidates find: node, axios, python, requests and other packages',
    }),
    unavailable: defineRecord(Type.String(), {
      description:
        'Unavailable languages, also in a single world (`python in tensor-operation`), and the level gvisor if it is unavailable, each with the remedy',
    }),
    interpreters: Type.Array(Interpreter, {
      description: 'Python interpreters in the order in which they were tried; the first that works is used',
    }),
    layers: Type.Array(
      Type.Object(
        {
          layer: Type.String(),
          inForce: Type.Boolean(),
          detail: Type.String({ description: 'Properties of the layer, or why it is missing' }),
        },
        closedObject,
      ),
      { description: 'The layers of isolation around candidate code' },
    ),
    executionProviders: Type.Array(Type.String(), {
      description: 'Available providers of ONNX Runtime, best first; empty without tensor worlds',
    }),
    tensorProvider: Type.Optional(
      Type.String({
        description:
          'The default provider for tensors; absent if STATEEVAL_TENSOR_PROVIDER names one that is unavailable',
      }),
    ),
    tensorProviders: Type.Array(FoundProvider, {
      description: 'The state of each provider, best first, and why others are not used',
    }),
    limits: ExecutionLimits,
    concurrency: Type.Integer({ description: 'Maximum number of programs that this process runs at a time' }),
    fingerprint: Type.String(),
  },
  { ...closedObject, description: 'The default limits; a request may set others' },
)
export type RuntimeInfo = Static<typeof RuntimeInfo>

export const WorldSummary = Type.Object(
  {
    id: Type.String(),
    languages: Type.Array(Language, {
      description: 'Languages of the programs that can run against this world here',
    }),
    unavailable: defineRecord(Type.String(), {
      description: 'Unavailable languages, each with the reason and the remedy',
    }),
    tensors: Type.Optional(
      Type.Literal(true, {
        description:
          'Whether its programs compute tensors. /v1/runtime lists the providers, and requests may name one',
      }),
    ),
    tools: Type.Optional(
      Type.Array(ModelTool, {
        description: 'The tools of its tool sessions; absent if the world serves programs only',
      }),
    ),
  },
  closedObject,
)
export type WorldSummary = Static<typeof WorldSummary>

export const runtimeOperations = defineOperations({
  getRuntime: {
    method: 'GET',
    path: '/v1/runtime',
    scope: 'read',
    tag: 'runtime',
    summary: 'Get the runtime',
    description:
      'The sandbox level, the languages and why others are missing, versions, limits, and a fingerprint of everything that results depend on.',
    success: { 200: { description: 'The runtime', schema: RuntimeInfo, example: exampleRuntime } },
    errors: [],
  },
  listWorlds: {
    method: 'GET',
    path: '/v1/worlds',
    scope: 'read',
    tag: 'runtime',
    summary: 'List worlds',
    description: 'The worlds that programs can run against.',
    success: {
      200: {
        description: 'The worlds',
        schema: definePage(WorldSummary),
        example: { items: [{ id: 'session-service', languages: ['javascript', 'python'], unavailable: {} }] },
      },
    },
    errors: [],
  },
})
