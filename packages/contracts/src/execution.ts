/** Inputs and observations of sandboxed runs. */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'
import { TensorComputation, TensorProvider } from './tensor.ts'

export const Language = Type.Union([Type.Literal('javascript'), Type.Literal('python')])
export type Language = Static<typeof Language>

/** One input of a test case: the variables that the candidate sees, and the initial world. */
export const ExecutionInput = Type.Object(
  {
    variables: defineRecord(Type.Unknown(), { description: 'Globals of the candidate, by name' }),
    world: Type.Unknown({ description: 'Initial remote items in the world’s form' }),
  },
  { additionalProperties: false },
)
export type ExecutionInput = Static<typeof ExecutionInput>

/** The maximum number of requests to a world in one run or session. */
export const maxWorldCalls = 100_000

export const ExecutionLimits = Type.Object(
  {
    wallMs: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      description: 'Wall time of one input, in milliseconds',
    }),
    cpuSeconds: Type.Integer({
      minimum: 1,
      maximum: 600,
      description: 'CPU time of the whole jail, in seconds',
    }),
    memoryMiB: Type.Integer({ minimum: 64, maximum: 65_536, description: 'Memory of the jail, in MiB' }),
    outputKiB: Type.Integer({
      minimum: 1,
      maximum: 10_240,
      description: 'stdout and stderr of one input, in KiB',
    }),
    resultKiB: Type.Integer({ minimum: 1, maximum: 10_240, description: 'JSON text of RESULT, in KiB' }),
    processes: Type.Integer({ minimum: 16, maximum: 4096, description: 'Processes and threads in the jail' }),
    requests: Type.Integer({
      minimum: 1,
      maximum: maxWorldCalls,
      description: 'Requests to the world in one input',
    }),
  },
  {
    additionalProperties: false,
    description: 'Limits of a run; missing limits have the service’s defaults',
  },
)
export type ExecutionLimits = Static<typeof ExecutionLimits>

export const CapturedError = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    message: Type.String({ maxLength: 4000 }),
    line: Type.Optional(Type.Integer({ description: 'Line of the candidate’s code, from 1' })),
    stack: Type.Optional(
      Type.String({ maxLength: 8000, description: 'Frames of the candidate’s code only' }),
    ),
    status: Type.Optional(Type.Integer({ description: 'HTTP status, if a failed request caused the error' })),
  },
  { additionalProperties: false },
)
export type CapturedError = Static<typeof CapturedError>

export const WorldSeed = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description:
    'Seed of the world’s ids: 32 hexadecimal digits, random by default. Set it only to repeat an earlier run, because ids can be guessed from it',
})

/** How a run may end. Every ending is a value; scoring switches over it exhaustively. */
export const ExecutionEnding = Type.Union([
  Type.Object(
    { status: Type.Literal('completed'), result: Type.Unknown({ description: 'RESULT as JSON' }) },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      status: Type.Literal('no_result'),
      reason: Type.String({ description: 'RESULT is missing or not a JSON value' }),
    },
    { additionalProperties: false },
  ),
  Type.Object({ status: Type.Literal('threw'), error: CapturedError }, { additionalProperties: false }),
  Type.Object(
    {
      status: Type.Literal('timeout'),
      limit: Type.Union([Type.Literal('cpu'), Type.Literal('wall')]),
      afterMs: Type.Number(),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      status: Type.Literal('killed'),
      by: Type.Union([
        Type.Literal('memory'),
        Type.Literal('output'),
        Type.Literal('result'),
        Type.Literal('processes'),
        Type.Literal('requests'),
        Type.Literal('crash'),
      ]),
      detail: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      status: Type.Literal('refused'),
      reason: Type.Union([Type.Literal('syntax'), Type.Literal('no_code')]),
      error: CapturedError,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      status: Type.Literal('infrastructure'),
      reason: Type.String({ description: 'A service fault, which never counts against the candidate' }),
      lacks: Type.Optional(
        Type.Literal('memory', { description: 'The resource that this machine lacks; another may have it' }),
      ),
    },
    { additionalProperties: false },
  ),
])
export type ExecutionEnding = Static<typeof ExecutionEnding>

/**
 * A request as seen by a world. Bodies are cut; this is evidence for root causes, never for the verdict.
 */
export const LoggedRequest = Type.Object(
  {
    method: Type.String(),
    path: Type.String({ description: 'Path with query, as sent' }),
    status: Type.Integer(),
    requestBody: Type.Optional(Type.String()),
    responseBody: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type LoggedRequest = Static<typeof LoggedRequest>

/** The content of a world after a run, and which strings in it are ids. */
export const WorldState = Type.Object(
  {
    state: Type.Unknown({ description: 'The final state in the world’s form' }),
    ids: Type.Object(
      {
        initial: Type.Array(Type.String(), {
          description:
            'Ids of the initial items, in their order: the same positions in every run of an input',
        }),
        created: Type.Array(Type.String(), {
          description: 'Ids that the world issued during the run, in order',
        }),
      },
      { additionalProperties: false },
    ),
    gone: Type.Array(Type.Object({ id: Type.String(), last: Type.Unknown() }), {
      description: 'Items that no longer exist, with their last content, which identifies the item of an id',
    }),
  },
  { additionalProperties: false },
)
export type WorldState = Static<typeof WorldState>

/** The observation of one input's run. */
export const Observation = Type.Object(
  {
    ending: ExecutionEnding,
    world: Type.Union([WorldState, Type.Null()], {
      description: 'null if the world could not be observed or the code never started',
    }),
    log: Type.Array(LoggedRequest),
    output: Type.String({ description: 'stdout and stderr, cut to the limit' }),
    faults: Type.Array(Type.String(), {
      description: 'Failures of the world or its channel during the run',
    }),
    wallMs: Type.Number(),
    sandbox: Type.String({ description: 'The level of isolation that the run had' }),
    seed: Type.Optional(WorldSeed),
    tensors: Type.Optional(TensorComputation),
  },
  { additionalProperties: false },
)
export type Observation = Static<typeof Observation>

/** The minimum isolation that a request requires. A stronger sandbox stays as it is. */
export const SandboxLevel = Type.Union(
  [Type.Literal('gvisor'), Type.Literal('process-jail'), Type.Literal('warm-jail')],
  {
    description:
      'Minimum isolation of this run. gvisor: a separate container behind gVisor’s kernel, if the service has it; process-jail: a separate jail; warm-jail: an isolate or fork in a reused jail',
  },
)
export type SandboxLevel = Static<typeof SandboxLevel>

/**
 * Bounds of observations, as JSON: of one input, of all inputs of a program, of all inputs of an
 * evaluation's program, and of the results in one response. They bound the memory and time of every reader:
 * an evaluation holds the observations of all attempts at a case (at most nine) in one message.
 */
export const maxObservationBytes = 32 * 2 ** 20
export const maxProgramBytes = 128 * 2 ** 20
export const maxAttemptBytes = 32 * 2 ** 20
export const maxAnswerBytes = 8 * 2 ** 20

/** Limit of a program, in characters. */
export const maxCode = 1_000_000

/** A program to run; the response has one observation per input. */
export const ExecutionRequest = Type.Object(
  {
    language: Language,
    code: Type.String({ maxLength: maxCode, description: 'Source text that sets RESULT' }),
    world: Type.String({ description: 'The world to run against, such as session-service; see /v1/worlds' }),
    inputs: Type.Array(ExecutionInput, { minItems: 1, maxItems: 64 }),
    limits: Type.Optional(Type.Partial(ExecutionLimits)),
    sandbox: Type.Optional(SandboxLevel),
    provider: Type.Optional(TensorProvider),
    seeds: Type.Optional(
      Type.Array(WorldSeed, { maxItems: 64, description: 'Seeds of the worlds, one for each input' }),
    ),
  },
  { additionalProperties: false },
)
export type ExecutionRequest = Static<typeof ExecutionRequest>

/** Reasons by language: why programs cannot use a provider; a provider that they can use is absent. */
export type MissingProviders = Record<Language, Partial<Record<TensorProvider, string>>>

/** How canaries found the warm jails in which programs ran. */
export const CanaryCounts = Type.Object(
  {
    clean: Type.Integer({ minimum: 0, description: 'Executions whose warm jails were clean' }),
    touched: Type.Integer({
      minimum: 0,
      description: 'Executions whose warm jails were not; they were repeated in separate jails',
    }),
  },
  {
    additionalProperties: false,
    description:
      'Checks of the warm jails by canaries: programs with a known outcome that run between others. Absent if no warm jail was used, and in responses that did not wait for a check',
  },
)
export type CanaryCounts = Static<typeof CanaryCounts>

export const ExecutionResult = Type.Object(
  {
    observations: Type.Array(Observation),
    runtime: Type.String({ description: 'Fingerprint of the runtime: versions, sandbox level, platform' }),
    canaries: Type.Optional(CanaryCounts),
  },
  { additionalProperties: false },
)
export type ExecutionResult = Static<typeof ExecutionResult>
