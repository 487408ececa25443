/** Programs and calls run in the sandbox against a world, and their observations. */
import Type, { type Static } from 'typebox'
import { AnyExecutionRequest, CallsExecutionRequest } from '../../calls-execution.ts'
import {
  cancelledExecution,
  exampleExecution,
  exampleObserved,
  exampleRequest,
  queuedExecution,
  withoutResult,
} from '../../examples/executions.ts'
import {
  ExecutionRequest,
  ExecutionResult,
  Observation,
  maxAnswerBytes,
  maxProgramBytes,
} from '../../execution.ts'
import { IdParams, defineIdQuery, jobFields, definePage, definePageQuery } from '../../job.ts'
import { defineOperations } from '../../operation.ts'

const closedObject = { additionalProperties: false } as const

export const ExecutionBatch = Type.Object(
  { batch: Type.Array(AnyExecutionRequest, { minItems: 1, maxItems: 100 }) },
  closedObject,
)
export type ExecutionBatch = Static<typeof ExecutionBatch>

export const Execution = Type.Object(
  {
    ...jobFields,
    resultBytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Size of all results as JSON, once everything has run. If they exceed ${maxAnswerBytes} bytes, the response omits them; page through links.results`,
      }),
    ),
    result: Type.Optional(ExecutionResult),
    results: Type.Optional(
      Type.Array(ExecutionResult, { description: 'Results of a batch, in the order of its programs' }),
    ),
  },
  {
    ...closedObject,
    description: `Once everything has run, a single program has result and a batch has results, if they have at most ${maxAnswerBytes} bytes together. links.results always has them`,
  },
)
export type Execution = Static<typeof Execution>

export const ObservedInput = Type.Object(
  {
    program: Type.Integer({ minimum: 0, description: 'Position of the program in the batch, from 0' }),
    input: Type.Integer({
      minimum: 0,
      description: 'Position of the input among the program’s inputs, from 0',
    }),
    observation: Observation,
    runtime: Type.String({ description: 'Fingerprint of the runtime: versions, sandbox level, platform' }),
  },
  { ...closedObject, description: 'The observation of one input of one program' },
)
export type ObservedInput = Static<typeof ObservedInput>

export const programExecutionOperations = defineOperations({
  createExecution: {
    method: 'POST',
    path: '/v1/executions',
    scope: 'run',
    work: true,
    tag: 'executions',
    summary: 'Run a program, or a batch of them',
    description:
      'Runs each program, or list of calls, once per input, with the isolation that `sandbox` requires and in a separate world. The response has the results if they are available within `wait` seconds; otherwise it is 202 with a resource to poll. Every ending of the code, including a crash or a timeout, is a result. Results of a response with 200 are stored. Results too large for one response are at links.results. limits.resultKiB and limits.outputKiB, times the inputs of a program, may be at most ' +
      `${maxProgramBytes} bytes.`,
    query: Type.Object(
      {
        wait: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 120,
            default: 0,
            description: 'Seconds to wait for the results before answering',
          }),
        ),
      },
      closedObject,
    ),
    body: Type.Union([ExecutionRequest, CallsExecutionRequest, ExecutionBatch]),
    bodyLimit: 16 * 2 ** 20,
    success: {
      200: { description: 'All programs have run', schema: Execution, example: exampleExecution },
      202: {
        description: 'Accepted. Location has the URL of the execution',
        schema: Execution,
        example: queuedExecution,
      },
    },
    errors: [400, 409, 413, 415, 422, 429],
    example: exampleRequest,
  },
  listExecutions: {
    method: 'GET',
    path: '/v1/executions',
    scope: 'read',
    tag: 'executions',
    summary: 'List executions',
    description: 'Executions requested over HTTP, oldest first, without their results.',
    query: defineIdQuery('exe'),
    success: {
      200: {
        description: 'A page of executions',
        schema: definePage(Execution),
        example: { items: [withoutResult] },
      },
    },
    errors: [400],
  },
  getExecution: {
    method: 'GET',
    path: '/v1/executions/:id',
    scope: 'read',
    tag: 'executions',
    summary: 'Get an execution',
    description: `Status and progress; results once every program has run, if they have at most ${maxAnswerBytes} bytes together.`,
    params: IdParams,
    success: { 200: { description: 'The execution', schema: Execution, example: exampleExecution } },
    errors: [400, 404],
  },
  listExecutionResults: {
    method: 'GET',
    path: '/v1/executions/:id/results',
    scope: 'read',
    tag: 'executions',
    summary: 'List the results of an execution',
    description: `One observation for each input of each program, in order, of any total size. A page ends at \`limit\` or before ${maxAnswerBytes} bytes, and has at least one observation. 409 until the execution has succeeded.`,
    params: IdParams,
    query: definePageQuery('^[0-9]{1,3}[.][0-9]{1,3}$'),
    success: {
      200: {
        description: 'A page of observations',
        schema: definePage(ObservedInput),
        example: { items: [exampleObserved] },
      },
    },
    errors: [400, 404, 409],
  },
  cancelExecution: {
    method: 'POST',
    path: '/v1/executions/:id/cancel',
    scope: 'run',
    tag: 'executions',
    summary: 'Cancel an execution',
    description:
      'Programs that have not started do not run, and a running program is stopped within seconds. A finished execution does not change.',
    params: IdParams,
    success: { 200: { description: 'The execution', schema: Execution, example: cancelledExecution } },
    errors: [400, 404],
  },
})
