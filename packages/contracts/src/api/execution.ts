/** The operations of execution: programs run in the sandbox against a world, and what comes out. */
import Type, { type Static } from 'typebox'
import {
  cancelledExecution,
  exampleExecution,
  exampleObserved,
  exampleRequest,
  exampleRuntime,
  queuedExecution,
  withoutResult,
} from '../examples/executions.ts'
import {
  ExecutionRequest,
  ExecutionResult,
  Language,
  Limits,
  maxAnswerBytes,
  maxProgramBytes,
  Observation,
} from '../execution.ts'
import { ModelTool, ModelToolCall } from '../model.ts'
import { AnyExecutionRequest, CallsExecutionRequest } from '../calls-execution.ts'
import { IdempotencyHeaders, IdParams, idQuery, jobFields, page, pageQuery, PlaceQuery } from '../job.ts'
import { defineOperations } from '../operation.ts'
import { recordOf } from '../basics/record.ts'
import {
  CallToolSession,
  CloseToolSession,
  LoggedToolCall,
  OpenToolSession,
  ToolReply,
  ToolSession,
} from '../tool-session.ts'
import {
  exampleCalls,
  exampleClosed,
  exampleLogged,
  exampleOpen,
  exampleResults,
  exampleSession,
} from '../examples/tool-sessions.ts'

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
        description: `Size of all results as JSON, once everything has run. Results of more than ${maxAnswerBytes} bytes are not in the answer: page through links.results`,
      }),
    ),
    result: Type.Optional(ExecutionResult),
    results: Type.Optional(
      Type.Array(ExecutionResult, { description: 'Of a batch, in the order of its programs' }),
    ),
  },
  {
    ...closedObject,
    description: `One program has a result, a batch has results, once everything has run and if they have at most ${maxAnswerBytes} bytes together. links.results always has them`,
  },
)
export type Execution = Static<typeof Execution>

/** An interpreter of Python that was tried for programs. */
export const Interpreter = Type.Object(
  {
    path: Type.String(),
    source: Type.Union([Type.Literal('STATEEVAL_PYTHON'), Type.Literal('PATH'), Type.Literal('default')], {
      description: 'Where the path comes from: the setting, PATH, or the usual places',
    }),
    version: Type.Optional(Type.String()),
    problem: Type.Optional(
      Type.String({ description: 'Why programs can’t run with it; absent for the one that they get' }),
    ),
  },
  closedObject,
)
export type Interpreter = Static<typeof Interpreter>

export const ObservedInput = Type.Object(
  {
    program: Type.Integer({ minimum: 0, description: 'Place of the program in the batch, from 0' }),
    input: Type.Integer({ minimum: 0, description: 'Place of the input among the program’s, from 0' }),
    observation: Observation,
    runtime: Type.String({ description: 'Fingerprint of the runtime: versions, sandbox level, platform' }),
  },
  { ...closedObject, description: 'What came out of one input of one program' },
)
export type ObservedInput = Static<typeof ObservedInput>

/** What executions depend on: results of equal fingerprints compare. */
export const RuntimeInfo = Type.Object(
  {
    sandbox: Type.String({
      description:
        'The level of isolation that runs have unless they ask for more: gvisor, process-jail, warm-jail, or unsafe-process where someone has chosen that',
    }),
    languages: Type.Array(Language),
    versions: recordOf(Type.String(), {
      description: 'Of what candidates find: node, axios, python, requests and other packages',
    }),
    unavailable: recordOf(Type.String(), {
      description:
        'Languages that can’t be had here, or not in a world (`python in tensor-operation`), and the level gvisor where it can’t be had, with what to do about it',
    }),
    interpreters: Type.Array(Interpreter, {
      description: 'Of Python, in the order in which they were tried; the first that works is used',
    }),
    layers: Type.Array(
      Type.Object(
        {
          layer: Type.String(),
          inForce: Type.Boolean(),
          detail: Type.String({ description: 'What it looks like, or why it is missing' }),
        },
        closedObject,
      ),
      { description: 'What stands around candidate code here' },
    ),
    executionProviders: Type.Array(Type.String(), {
      description: 'Of ONNX Runtime, best first; empty without tensor worlds',
    }),
    limits: Limits,
    concurrency: Type.Integer({ description: 'Programs at a time in this process' }),
    fingerprint: Type.String(),
  },
  { ...closedObject, description: 'Limits are the defaults; a request may set others' },
)
export type RuntimeInfo = Static<typeof RuntimeInfo>

export const WorldSummary = Type.Object(
  {
    id: Type.String(),
    languages: Type.Array(Language, { description: 'Of programs that can be run against it here' }),
    unavailable: recordOf(Type.String(), {
      description: 'Other languages, with the reason and what to do about it',
    }),
    tools: Type.Optional(
      Type.Array(ModelTool, {
        description: 'What tool sessions of it can call; absent where it serves programs only',
      }),
    ),
  },
  closedObject,
)
export type WorldSummary = Static<typeof WorldSummary>

/** What the calls of one request gave, in their order. */
export const ToolResults = Type.Object(
  {
    results: Type.Array(
      Type.Object({ id: ModelToolCall.properties.id, ...ToolReply.properties }, closedObject),
    ),
  },
  closedObject,
)

export const executionOperations = defineOperations({
  createExecution: {
    method: 'POST',
    path: '/v1/executions',
    tag: 'executions',
    summary: 'Run a program, or a batch of them',
    description:
      'Runs each program, or list of calls, once per input, isolated as `sandbox` asks and in a world of its own. Answered with the results once they are there, but no later than after `wait` seconds: then with 202 and the resource to ask. Every ending of the code, also a crash or a timeout, is a result. What an answer with 200 tells is stored. Results too large for one answer are at links.results. limits.resultKiB and limits.outputKiB, times the inputs of a program, may be at most ' +
      `${maxProgramBytes} bytes.`,
    headers: IdempotencyHeaders,
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
        description: 'Accepted; Location names the execution',
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
    tag: 'executions',
    summary: 'List executions',
    description: 'Executions that were asked for over HTTP, the oldest first, without their results.',
    query: idQuery('exe'),
    success: {
      200: {
        description: 'A page of executions',
        schema: page(Execution),
        example: { items: [withoutResult] },
      },
    },
    errors: [400],
  },
  getExecution: {
    method: 'GET',
    path: '/v1/executions/:id',
    tag: 'executions',
    summary: 'Get an execution',
    description: `Status and progress; results once every program has run, where they have at most ${maxAnswerBytes} bytes together.`,
    params: IdParams,
    success: { 200: { description: 'The execution', schema: Execution, example: exampleExecution } },
    errors: [400, 404],
  },
  listExecutionResults: {
    method: 'GET',
    path: '/v1/executions/:id/results',
    tag: 'executions',
    summary: 'List the results of an execution',
    description: `One observation for each input of each program, in order, however large all of them are. A page ends at \`limit\` or before ${maxAnswerBytes} bytes, and has at least one observation. 409 until the execution has succeeded.`,
    params: IdParams,
    query: pageQuery('^[0-9]{1,3}[.][0-9]{1,3}$'),
    success: {
      200: {
        description: 'A page of observations',
        schema: page(ObservedInput),
        example: { items: [exampleObserved] },
      },
    },
    errors: [400, 404, 409],
  },
  cancelExecution: {
    method: 'POST',
    path: '/v1/executions/:id/cancel',
    tag: 'executions',
    summary: 'Cancel an execution',
    description:
      'Programs that have not started will not run, and one that runs is stopped within seconds. An execution that has ended stays as it is.',
    params: IdParams,
    success: { 200: { description: 'The execution', schema: Execution, example: cancelledExecution } },
    errors: [400, 404],
  },
  openSession: {
    method: 'POST',
    path: '/v1/sessions',
    tag: 'sessions',
    summary: 'Open a tool session',
    description:
      'A world of its own that stays open over many calls. A session is its log of calls: it outlives the process that serves it, and any replica goes on with it.',
    headers: IdempotencyHeaders,
    body: OpenToolSession,
    bodyLimit: 16 * 2 ** 20,
    success: {
      201: {
        description: 'Opened; Location names the session',
        schema: ToolSession,
        example: exampleSession,
      },
    },
    errors: [400, 409, 413, 415, 422],
    example: exampleOpen,
  },
  getSession: {
    method: 'GET',
    path: '/v1/sessions/:id',
    tag: 'sessions',
    summary: 'Get a tool session',
    description: 'Its status, how many calls it has, its tools.',
    params: IdParams,
    success: { 200: { description: 'The session', schema: ToolSession, example: exampleSession } },
    errors: [400, 404],
  },
  callSession: {
    method: 'POST',
    path: '/v1/sessions/:id/calls',
    tag: 'sessions',
    summary: 'Call tools of a session',
    description:
      'Runs the calls one after the other and answers what the API answers, errors included. Sending the same calls with the same index again changes nothing and gives the same answer. 409 where another call stands at that index, the index is not the next one, or the session has ended.',
    params: IdParams,
    body: CallToolSession,
    bodyLimit: 16 * 2 ** 20,
    success: { 200: { description: 'The results, in order', schema: ToolResults, example: exampleResults } },
    errors: [400, 404, 409, 413, 415, 422],
    example: exampleCalls,
  },
  listSessionCalls: {
    method: 'GET',
    path: '/v1/sessions/:id/calls',
    tag: 'sessions',
    summary: 'List the calls of a session',
    description: 'Its log: every call with its reply, in order.',
    params: IdParams,
    query: PlaceQuery,
    success: {
      200: {
        description: 'A page of calls',
        schema: page(LoggedToolCall),
        example: { items: [exampleLogged] },
      },
    },
    errors: [400, 404],
  },
  closeSession: {
    method: 'POST',
    path: '/v1/sessions/:id/close',
    tag: 'sessions',
    summary: 'Close a tool session',
    description:
      'Ends the session and gives what is in its world, as one observation. Closing it again gives the same.',
    params: IdParams,
    body: CloseToolSession,
    success: { 200: { description: 'What was observed', schema: ExecutionResult, example: exampleClosed } },
    errors: [400, 404, 409, 413, 415],
    example: { result: { added: 1 } },
  },
  getRuntime: {
    method: 'GET',
    path: '/v1/runtime',
    tag: 'runtime',
    summary: 'Get the runtime',
    description:
      'Sandbox level, languages and why others are missing, versions, limits, and a fingerprint of all that results depend on.',
    success: { 200: { description: 'The runtime', schema: RuntimeInfo, example: exampleRuntime } },
    errors: [],
  },
  listWorlds: {
    method: 'GET',
    path: '/v1/worlds',
    tag: 'runtime',
    summary: 'List worlds',
    description: 'What programs can be run against.',
    success: {
      200: {
        description: 'The worlds',
        schema: page(WorldSummary),
        example: { items: [{ id: 'session-service', languages: ['javascript', 'python'], unavailable: {} }] },
      },
    },
    errors: [],
  },
})
