/** Generations: programs from a scenario’s state machine, and their coverage of it. */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'
import { Seed } from './basics/seed.ts'
import { jobFields } from './job.ts'
import { maxBranches, Program } from './program.ts'

const closedObject = { additionalProperties: false } as const

/** Absent if nothing is set, so that earlier results stay the same, byte for byte. */
export const ScenarioOptions = defineRecord(Type.Integer(), {
  names: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
  maxProperties: 20,
  description:
    'Numeric options of the scenario, by name, such as elements of tensor-operation; see /v1/scenarios',
})
export type ScenarioOptions = Static<typeof ScenarioOptions>

const strategies = ['planned', 'coverage', 'random'] as const
const defineRange = (maximum: number, description: string) =>
  Type.Object(
    {
      min: Type.Optional(Type.Integer({ minimum: 0, maximum })),
      max: Type.Optional(Type.Integer({ minimum: 0, maximum })),
    },
    { additionalProperties: false, description },
  )

/**
 * Options of difficulty. They are absent if nothing is set, so that programs without them stay the same.
 */
export const Difficulty = Type.Object(
  {
    only: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'The only APIs to call, usual or opt-in; absent: all usual ones and those of apis',
      }),
    ),
    branches: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: maxBranches,
        description:
          'Mean number of if/elses: 0.5 gives half of the programs one; 1.5 gives all of them one, and half of them a second one in a branch of the first. Absent: the position of one is drawn uniformly; a position before the first call means no if/else',
      }),
    ),
    pathDepth: Type.Optional(defineRange(50, 'Bounds of the longest producer-to-consumer chain, in edges')),
    bindings: Type.Optional(
      defineRange(200, 'Bounds of the pairs of a call’s output and a call that uses it, over all branches'),
    ),
    distractors: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        description: 'Variables that look relevant and that no call needs, with remote items beside them',
      }),
    ),
    difficulty: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        description:
          'A level, from easy to hard, that sets length, branches, pathDepth, bindings and distractors where they are absent. Default: 3, as complex as the paper’s programs; none if one of them is set, or only',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Difficulty = Static<typeof Difficulty>
/** The options that a level of difficulty sets. */
export type DifficultyParts = Pick<Difficulty, 'branches' | 'pathDepth' | 'bindings' | 'distractors'> & {
  length?: number
}

/** Everything that determines the programs, besides the versions of scenario and generator. */
export const GenerationOptions = Type.Object(
  {
    scenario: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A scenario’s id; see /v1/scenarios',
    }),
    count: Type.Integer({ minimum: 1, maximum: 10_000, default: 60, description: 'Programs to generate' }),
    length: Type.Integer({
      minimum: 2,
      maximum: 50,
      description:
        'Calls on each execution path. Default: as the level of difficulty has it; 5 if there is none',
    }),
    seed: Type.Union(Seed.anyOf, { default: 1, description: 'The same seed gives the same bytes' }),
    strategy: Type.Enum(strategies, {
      type: 'string',
      default: 'planned',
      description:
        'planned looks ahead for uncovered pairs; coverage is StateGen’s Algorithm 1; random is its ablation',
    }),
    controlFlow: Type.Boolean({ default: true, description: 'Whether programs may have an if/else' }),
    observable: Type.Boolean({
      default: true,
      description:
        'Whether programs are redrawn if a single mistake, such as a missing call, another match or a changed constant, would not change any result',
    }),
    secondWorlds: Type.Boolean({
      default: true,
      description:
        'Whether to add an input in a second world for each execution path that needs one to distinguish a call from its output in the first world',
    }),
    pairs: Type.Union([Type.Literal('states'), Type.Literal('previous')], {
      default: 'states',
      description:
        'What coverage counts: pairs linked by states, or (previous call, call) as Algorithm 1, line 7 is printed',
    }),
    apis: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      uniqueItems: true,
      default: [],
      description: 'Opt-in APIs to use besides the scenario’s usual ones',
    }),
    ...Difficulty.properties,
    scenarioOptions: Type.Optional(ScenarioOptions),
  },
  closedObject,
)
export type GenerationOptions = Static<typeof GenerationOptions>

/** A generation's request: everything except the scenario has a default. */
export const GenerationRequest = Type.Object(
  { ...Type.Partial(GenerationOptions).properties, scenario: GenerationOptions.properties.scenario },
  closedObject,
)
export type GenerationRequest = Static<typeof GenerationRequest>

/** Statistics of a generation, as in the paper: programs made, draws repeated, and why. */
export const GenerationStatistics = Type.Object(
  {
    programs: Type.Integer({ description: 'Programs generated' }),
    branches: Type.Integer({ description: 'Programs with an if/else' }),
    deadBranches: Type.Integer({
      description: 'Programs whose flipped input does not reach the other branch',
    }),
    exhausted: Type.Boolean({
      description:
        'Whether generation stopped before its count because too many consecutive draws were dropped',
    }),
    dropped: defineRecord(Type.Integer(), { description: 'Drawn programs that were dropped, by reason' }),
    apis: Type.Integer({ description: 'M, the number of APIs that could be called' }),
    adjacentPairs: Type.Integer({ description: 'Distinct pairs of neighbouring calls' }),
    atc: Type.Number({ description: 'Adjacent transition coverage: adjacentPairs / M²' }),
    feasible: Type.Optional(
      Type.Integer({
        description: 'Pairs that a program of this length can contain: the maximum of adjacentPairs',
      }),
    ),
    atcFeasible: Type.Optional(Type.Number({ description: 'adjacentPairs / feasible' })),
    transitionPairs: Type.Integer({ description: 'Distinct pairs linked by a state' }),
  },
  closedObject,
)
export type GenerationStatistics = Static<typeof GenerationStatistics>

export const Generation = Type.Object(
  {
    ...jobFields,
    options: GenerationOptions,
    versions: defineRecord(Type.String()),
    statistics: Type.Optional(GenerationStatistics),
  },
  closedObject,
)
export type Generation = Static<typeof Generation>

export const GenerationCoverage = Type.Object(
  {
    apis: Type.Integer({ description: 'M, the number of APIs that could be called' }),
    adjacentPairs: Type.Array(Type.Integer(), {
      description: 'Distinct pairs of neighbouring calls after each program',
    }),
    atc: Type.Array(Type.Number(), { description: 'Share of M² that the pairs cover after each program' }),
    feasible: Type.Integer({
      description:
        'Pairs that a program of this length can contain, found by a search over abstract states of the state machine, or contained in these programs',
    }),
    atcFeasible: Type.Array(Type.Number(), {
      description: 'Share of the feasible pairs that are covered after each program',
    }),
    transitionPairs: Type.Array(Type.Integer(), {
      description: 'Distinct pairs linked by a state after each program',
    }),
    pairs: Type.Array(Type.String(), {
      description: 'The pairs of neighbouring calls, in order of first appearance',
    }),
    dropped: defineRecord(Type.Integer(), { description: 'Drawn programs that were dropped, by reason' }),
  },
  closedObject,
)
export type GenerationCoverage = Static<typeof GenerationCoverage>

/** Payload of jobs.trace-generation.generate: an existing generation, or options for one. */
export const GenerateJob = Type.Union([
  Type.Object({ generation: Type.String({ minLength: 1, maxLength: 200 }) }, closedObject),
  Type.Object({ options: GenerationRequest }, closedObject),
])
export type GenerateJob = Static<typeof GenerateJob>
/** The result of the job. */
export interface GenerateResult {
  /**
   * Programs of a job that brought options. A stored generation has its programs at
   * `/v1/generations/{id}/programs`.
   */
  programs: Program[]
  /** Flags by program id, such as dead_branch; programs without flags are left out. */
  flags: Record<string, string[]>
  statistics: GenerationStatistics
}

/** A number that a generation may set for a scenario. */
export const ScenarioOption = Type.Object(
  { about: Type.String(), minimum: Type.Integer(), maximum: Type.Integer(), default: Type.Integer() },
  closedObject,
)

export const ScenarioSummary = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    version: Type.String(),
    world: Type.String({ description: 'The world that executions run against' }),
    operations: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          optIn: Type.Boolean({ description: 'Programs call this API only if a generation requests it' }),
        },
        closedObject,
      ),
    ),
    options: Type.Optional(
      defineRecord(ScenarioOption, {
        description:
          'The options that a generation’s scenarioOptions may set, by name; absent if there are none',
      }),
    ),
  },
  closedObject,
)
export type ScenarioSummary = Static<typeof ScenarioSummary>

export const ProgramMetrics = Type.Object(
  {
    codeTokens: Type.Integer({
      description: 'cl100k_base tokens of the reference code, without the initialisation block',
    }),
    functionCalls: Type.Integer({ description: 'Call sites of documented APIs, in both branches' }),
    pathDepth: Type.Integer({ description: 'The longest producer-to-consumer chain, in edges' }),
    bindingCount: Type.Integer({ description: 'Distinct pairs of a call’s output and a call that uses it' }),
    instructionTokens: Type.Optional(
      Type.Integer({ description: 'cl100k_base tokens of the instruction, if one was sent' }),
    ),
    releasedCodeTokens: Type.Integer({
      description: 'cl100k_base tokens of the reference code in Python, without the initialisation block',
    }),
    releasedFunctionCalls: Type.Integer({
      description:
        'Calls in the Python code by the definition of the analyser that the paper’s authors released; methods of responses count',
    }),
    releasedPathDepth: Type.Integer({
      description: 'The longest path between variables of calls in the Python code, by the same analyser',
    }),
    releasedBindingCount: Type.Integer({
      description:
        'Pairs of a variable from a call and a variable set by a call that reads it, by the same analyser',
    }),
  },
  { ...closedObject, description: 'Static metrics of a program (StateEval, Table I)' },
)
export type ProgramMetrics = Static<typeof ProgramMetrics>

export const ProgramPage = Type.Object(
  { items: Type.Array(Program), next: Type.Optional(Type.String()) },
  closedObject,
)
