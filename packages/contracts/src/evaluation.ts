/** Benchmarks as stored and exported, evaluations, and how a run went: the resources of the evaluation service. */
import Type, { type Static } from 'typebox'
import { Consultation, Transcript } from './episode.ts'
import { Language } from './execution.ts'
import { ScenarioOptions } from './generation.ts'
import { jobFields } from './job.ts'
import { Budget, ModelName, ModelToolCall, Usage } from './model.ts'
import { recordOf } from './record.ts'
import { ReportResult } from './report.ts'
import { Seed } from './seed.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
export const DocumentationName = Type.Union([
  Type.Literal('full'),
  Type.Literal('relevant'),
  Type.Literal('none'),
])
export const PromptingName = Type.Union([
  Type.Literal('direct'),
  Type.Literal('cot'),
  Type.Literal('reflect'),
  Type.Literal('few-shot'),
])

/** Who translates and who verifies, where models do: names of models that the evaluation service knows. */
export const AgentOptions = Type.Object(
  {
    /** Writes the instructions. */
    generator: ModelName,
    /** Judges them; the generator by default. */
    evaluator: Type.Optional(ModelName),
    /** Writes code from an instruction alone, to see whether it says enough; the generator by default. */
    coder: Type.Optional(ModelName),
    rounds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'Of negotiation at most; 3 by default' }),
    ),
    tries: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'Within which code must reproduce the oracle; 3 by default',
      }),
    ),
  },
  { additionalProperties: false },
)
export type AgentOptions = Static<typeof AgentOptions>

/** How a set is made: generate `programs`, drop what fails a filter, keep a seeded sample of `keep`. */
export const BuildOptions = Type.Object(
  {
    scenario: Type.String({ minLength: 1, maxLength: 100, description: 'A scenario’s id, or all' }),
    programs: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 60,
      description: 'Programs to generate, per scenario',
    }),
    keep: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 40,
      description: 'Cases to keep of those that pass every filter, per scenario',
    }),
    seed: Type.Union(Seed.anyOf, { default: 1, description: 'Same seed, same bytes' }),
    translator: Type.Union([Type.Literal('template'), Type.Literal('agents')], { default: 'template' }),
    agents: Type.Optional(AgentOptions),
    strategy: Type.Union([Type.Literal('planned'), Type.Literal('coverage'), Type.Literal('random')], {
      default: 'planned',
    }),
    length: Type.Integer({
      minimum: 2,
      maximum: 50,
      default: 5,
      description: 'Calls on each execution path',
    }),
    controlFlow: Type.Boolean({ default: true, description: 'Whether programs may have an if/else' }),
    scenarioOptions: Type.Optional(ScenarioOptions),
    languages: Type.Array(Language, {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      description:
        'Languages of the reference code: runs in the first are the oracles, runs in the others must agree with them. Default: all that programs of the scenario can be run in here',
    }),
  },
  { additionalProperties: false },
)
export type BuildOptions = Static<typeof BuildOptions>

/** What a build is asked with: all but the scenario has a default. */
export const BuildRequest = Type.Object(
  { ...Type.Partial(BuildOptions).properties, scenario: BuildOptions.properties.scenario },
  { additionalProperties: false },
)
export type BuildRequest = Static<typeof BuildRequest>

/** How tasks are written for what a specification has: by a model, with checks, in rounds. */
export const WritingOptions = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9_.-]+$',
      maxLength: 100,
      description: 'Short name of the API: cases are named and counted by it',
    }),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Its name in prompts; the specification’s title by default',
      }),
    ),
    server: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 2000,
        description: 'Where requests go; the specification’s first server by default',
      }),
    ),
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Only endpoints whose path begins with one of these',
      }),
    ),
    instructions: Type.Optional(
      Type.String({ maxLength: 20_000, description: 'More for the model to know of this API' }),
    ),
    rounds: Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 3,
      description: 'Times that a task may be written until its checks pass',
    }),
    together: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 10,
      description: 'Endpoints in one question, at most',
    }),
    longest: Type.Integer({
      minimum: 1000,
      maximum: 10_000_000,
      default: 400_000,
      description:
        'Characters of the specification in one prompt; of a longer one it has the paths that are asked for and what they need',
    }),
    seed: Type.Union(Seed.anyOf, {
      default: 1,
      description: 'Which of the model’s answers are taken: another seed asks anew',
    }),
  },
  { additionalProperties: false },
)
export type WritingOptions = Static<typeof WritingOptions>

/** What a set is made of and by whom, where a model writes the tasks. */
export const WritingRequest = Type.Object(
  {
    kind: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The kind of benchmark whose tasks are written, such as wapiibench',
    }),
    specification: Type.String({
      minLength: 2,
      description: 'The text of the specification: OpenAPI 3.0 or 3.1, in YAML or JSON',
    }),
    model: Type.Optional(ModelName),
    recording: Type.Optional(
      Type.String({
        pattern: '^rec_[0-9a-f]{64}$',
        description: 'Instead of a model: answers every question',
      }),
    ),
    fresh: Type.Optional(Type.Boolean({ description: 'Asks anew also what was answered before' })),
    budget: Type.Optional(Budget),
    ...Type.Partial(WritingOptions).properties,
    id: WritingOptions.properties.id,
  },
  { additionalProperties: false },
)
export type WritingRequest = Static<typeof WritingRequest>

const Spread = Type.Object(
  { mean: Type.Number(), min: Type.Number(), max: Type.Number() },
  { additionalProperties: false },
)
/** A set's statistics as the paper's Table I shows them, per scenario. */
export const SetStatistics = Type.Object(
  {
    scenario: Type.String(),
    cases: Type.Integer(),
    apis: Type.Integer({ description: 'Different APIs that the programs call' }),
    branches: Type.Integer({ description: 'Cases with an if/else' }),
    metrics: recordOf(Spread),
    atc: Type.Optional(Type.Number({ description: 'Adjacent transition coverage of the kept set, of M²' })),
    feasible: Type.Optional(
      Type.Integer({ description: 'Pairs of neighbouring calls that some program of this length can hold' }),
    ),
    atcFeasible: Type.Optional(
      Type.Number({ description: 'Adjacent transition coverage of the kept set, of the feasible pairs' }),
    ),
  },
  { additionalProperties: false },
)
export type SetStatistics = Static<typeof SetStatistics>

/** What was dropped between generation and the kept sample, and why. */
export const FilterCount = Type.Object(
  { scenario: Type.String(), phase: Type.String(), reason: Type.String(), count: Type.Integer() },
  { additionalProperties: false },
)
export type FilterCount = Static<typeof FilterCount>

/** The form of manifests now. Folders of an earlier one are built again. */
export const manifestSchema = 2 as const

/** manifest.json of a benchmark folder. Holds no times: the same build gives the same bytes. */
export const Manifest = Type.Object(
  {
    schema: Type.Literal(manifestSchema),
    digest: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 of the canonical form of this manifest without the digest; the files come in by their hashes',
    }),
    kind: Type.String({
      description: 'The kind of benchmark: who prompts, scores and aggregates, such as stateeval',
    }),
    versions: recordOf(Type.String(), { description: 'Of the benchmark, the scenarios and the generator' }),
    seed: Type.Union([Type.Integer(), Type.String()]),
    options: recordOf(Type.Unknown()),
    counts: Type.Object(
      {
        generated: Type.Integer(),
        passed: Type.Integer(),
        kept: Type.Integer(),
        filteredShare: Type.Optional(
          Type.Number({ description: 'Of what was generated, where a model wrote the tasks' }),
        ),
      },
      { additionalProperties: false },
    ),
    filtered: Type.Array(FilterCount),
    statistics: Type.Array(SetStatistics),
    files: recordOf(Sha256, { description: 'SHA-256 of each file beside this one, by path' }),
  },
  { additionalProperties: false },
)
export type Manifest = Static<typeof Manifest>

/** A benchmark folder as one JSON body. */
export const BenchmarkFolder = Type.Object(
  {
    manifest: Manifest,
    cases: Type.String({ minLength: 2, description: 'The text of cases.jsonl' }),
    readme: Type.Optional(Type.String({ description: 'The text of README.md' })),
    artifacts: Type.Optional(
      recordOf(Type.String({ description: 'The bytes of artifacts/<sha256>, in base64' }), { names: Sha256 }),
    ),
  },
  { additionalProperties: false },
)
export type BenchmarkFolder = Static<typeof BenchmarkFolder>

/** Published data of a benchmark, as text files by their path; the benchmark says which it needs. */
export const Dataset = Type.Object(
  {
    kind: Type.String({ minLength: 1, maxLength: 100, description: 'The kind of benchmark' }),
    files: recordOf(Type.String(), { names: Type.String({ maxLength: 200 }), maxProperties: 200 }),
  },
  { additionalProperties: false },
)
export type Dataset = Static<typeof Dataset>

/** Answers of a model as a file: JSON lines, the first about the evaluation, then one an answer. */
export const Recording = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    answers: Type.Integer(),
    links: recordOf(Type.String()),
  },
  { additionalProperties: false },
)
export type Recording = Static<typeof Recording>

/** A set of test cases as a resource: a job while it is built. */
export const BenchmarkResource = Type.Object(
  {
    ...jobFields,
    kind: Type.String({ description: 'The kind of benchmark, such as stateeval' }),
    origin: Type.Union([Type.Literal('build'), Type.Literal('import'), Type.Literal('review')]),
    build: Type.Optional(BuildOptions),
    writing: Type.Optional(
      Type.Object(
        { ...WritingOptions.properties, specification: Sha256, model: Type.String() },
        {
          additionalProperties: false,
          description:
            'Where a model wrote the tasks: how, from which specification (SHA-256), and which model',
        },
      ),
    ),
    reviewed: Type.Optional(Type.String({ description: 'The build whose instructions were decided about' })),
    usage: Type.Optional(Usage),
    costUsd: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description: 'Of agents, in US dollars; null where a model has no prices',
      }),
    ),
    budget: Type.Optional(Budget),
    manifest: Type.Optional(Manifest),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What an import found odd in published data, and took as it is',
      }),
    ),
  },
  { additionalProperties: false },
)
export type BenchmarkResource = Static<typeof BenchmarkResource>

/** An answer made elsewhere. */
const answerFields = {
  case: Type.String({ minLength: 1, maxLength: 200 }),
  sample: Type.Optional(Type.Integer({ minimum: 0, maximum: 999, description: '0 by default' })),
}
export const GivenAnswer = Type.Union([
  Type.Object(
    {
      ...answerFields,
      answer: Type.String({ maxLength: 2_000_000, description: 'The model’s whole answer' }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      ...answerFields,
      replies: Type.Array(
        Type.Object(
          {
            text: Type.Optional(Type.String({ maxLength: 2_000_000 })),
            toolCalls: Type.Optional(Type.Array(ModelToolCall, { maxItems: 1000 })),
            finish: Type.Optional(
              Type.String({ maxLength: 100, description: 'Why the model ended it; stop by default' }),
            ),
          },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: 1000,
          description: 'The model’s replies in order, where it is asked several times',
        },
      ),
    },
    { additionalProperties: false },
  ),
])
export type GivenAnswer = Static<typeof GivenAnswer>

/** What a model is told to do in one case, and what it would have to answer to pass. */
export const ReferenceAnswer = Type.Object(
  {
    case: Type.String(),
    language: Type.Optional(Language),
    instruction: Type.String(),
    answer: Type.Union([Type.String(), Type.Null()], {
      description:
        'The reference code, fenced where prompts ask for a fence; null where the case has none in this language',
    }),
  },
  { additionalProperties: false },
)
export type ReferenceAnswer = Static<typeof ReferenceAnswer>

/** What a sample was judged by, as it was answered. */
export const SampleAnswer = Type.Object(
  {
    case: Type.String(),
    sample: Type.Integer({ minimum: 0 }),
    answer: Type.Union([Type.String(), Type.Null()], {
      description: 'The last one, where it was asked several times; null where there was none',
    }),
    finish: Type.Optional(
      Type.String({
        description:
          'Why a model ended this answer, as its endpoint said: stop; length where it was cut short; or another word',
      }),
    ),
    transcripts: Type.Optional(
      Type.Array(Transcript, { description: 'The whole dialogue, where it has more than one reply' }),
    ),
    consultations: Type.Optional(
      Type.Array(Consultation, { description: 'What judges, embeddings and live APIs were asked and said' }),
    ),
  },
  { additionalProperties: false },
)
export type SampleAnswer = Static<typeof SampleAnswer>

export const EvaluationOptions = Type.Object(
  {
    samples: Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'Answers for each case' }),
    prompting: Type.Union(PromptingName.anyOf, { default: 'direct' }),
    language: Type.Optional(
      Type.Union(Language.anyOf, {
        description: 'Of the programs; javascript by default. Absent where the benchmark has no programs',
      }),
    ),
    documentation: Type.Union(DocumentationName.anyOf, {
      default: 'full',
      description:
        'How much of the API documentation a model reads: all of it, the parts that the task needs among others, or nothing',
    }),
    rounds: Type.Integer({
      minimum: 1,
      maximum: 8,
      default: 2,
      description: 'Under reflect: how often a model is shown its error and asked again',
    }),
    shots: Type.Integer({
      minimum: 1,
      maximum: 16,
      default: 3,
      description: 'Under few-shot: how many solved cases a model is shown',
    }),
    policy: Type.Optional(
      Type.String({ maxLength: 100, description: 'One of the benchmark’s; its first by default' }),
    ),
    setup: Type.Optional(
      Type.String({ maxLength: 100, description: 'One of the benchmark’s setups; its first by default' }),
    ),
    layout: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'For which kind of model prompts are laid out, where the benchmark knows several',
      }),
    ),
    settings: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Generation settings that the benchmark has a name for: its parameters are sent in place of the model’s own of the same names. wapiibench: published',
      }),
    ),
    timeLimit: Type.Optional(
      Type.Number({
        minimum: 0.1,
        maximum: 600,
        description:
          'Seconds that the code of a sample may run on each input; the default is the benchmark’s own, mostly 10',
      }),
    ),
    seed: Type.Union(Seed.anyOf, {
      default: 1,
      description: 'Of what the built-in model mutant draws, and of the examples under few-shot',
    }),
  },
  { additionalProperties: false },
)
export type EvaluationOptions = Static<typeof EvaluationOptions>

/** A model of the service, or a recording. */
const partyName = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }

/** Benchmark × model × prompting × samples; either a model or answers made elsewhere. */
export const EvaluationRequest = Type.Object(
  {
    benchmark: Type.String({ minLength: 1, maxLength: 200, description: 'Id of a benchmark resource' }),
    model: Type.Optional(ModelName),
    answers: Type.Optional(
      Type.Array(GivenAnswer, { minItems: 1, maxItems: 100_000, description: 'Instead of a model' }),
    ),
    label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'What reports call the maker of `answers`; answers by default',
      }),
    ),
    budget: Type.Optional(Budget),
    fresh: Type.Optional(
      Type.Boolean({
        description:
          'Asks anew also what was answered in an earlier evaluation; answers that are kept are used by default',
      }),
    ),
    recording: Type.Optional(
      Type.String({
        pattern: '^rec_[0-9a-f]{64}$',
        description: 'Instead of a model: answers every question from this recording, without a request',
      }),
    ),
    secondOpinion: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
        description:
          'A model that is asked why each failed sample failed, after scoring; or the id of a recording of its answers. A recording with opinions repeats them by itself',
      }),
    ),
    judge: Type.Optional(
      Type.Union(
        [
          Type.String(partyName),
          recordOf(Type.String(partyName), { names: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,49}$' }) }),
        ],
        {
          description:
            'The model that judges, where the benchmark asks one; by part where it asks several. A recording’s id repeats what its judge said',
        },
      ),
    ),
    user: Type.Optional(
      Type.String({
        ...partyName,
        description: 'The model that plays the user, where the benchmark simulates one; or a recording’s id',
      }),
    ),
    embeddings: Type.Optional(
      Type.String({
        ...partyName,
        description:
          'The model of api embeddings that similarities come from, where the benchmark asks for them; or a recording’s id',
      }),
    ),
    ...Type.Partial(EvaluationOptions).properties,
    documentation: Type.Optional(
      Type.Union(DocumentationName.anyOf, {
        description:
          'How much of the API documentation a model reads; the benchmark’s own default, mostly full',
      }),
    ),
  },
  { additionalProperties: false },
)
export type EvaluationRequest = Static<typeof EvaluationRequest>

/** What the samples that have ended used; with costs where the model has prices. */
export const Spent = Type.Object(
  { ...Usage.properties, costUsd: Type.Union([Type.Number(), Type.Null()]) },
  { additionalProperties: false },
)
export type Spent = Static<typeof Spent>

export const EvaluationResource = Type.Object(
  {
    ...jobFields,
    benchmark: Type.String(),
    digest: Type.String({ description: 'Of the benchmark: the hash of its manifest' }),
    model: Type.String(),
    options: EvaluationOptions,
    secondOpinion: Type.Optional(
      Type.String({ description: 'The model that is asked for root causes, too' }),
    ),
    parties: Type.Optional(
      recordOf(Type.String(), {
        description:
          'Who plays the further parts, by part: judge:NAME, user, similar (embeddings), http:NAME (a live API)',
      }),
    ),
    budget: Type.Optional(Budget),
    spent: Type.Optional(Spent),
    counts: Type.Object(
      {
        samples: Type.Integer(),
        scored: Type.Integer(),
        passed: Type.Integer(),
        notScored: Type.Integer({
          description: 'Samples that ended without a score: infrastructure errors, refused questions',
        }),
        timeouts: Type.Integer({
          description: 'Scored samples that failed because their code ran into its time limit',
        }),
      },
      {
        additionalProperties: false,
        description: 'Of the samples that have ended; they grow while the evaluation runs',
      },
    ),
  },
  { additionalProperties: false },
)
export type EvaluationResource = Static<typeof EvaluationResource>

/** Whether the truth of the set passes on this installation. */
export const SelfCheck = Type.Object(
  {
    status: Type.Union([Type.Literal('passed'), Type.Literal('failed')]),
    cases: Type.Integer(),
    runtime: Type.String({ description: 'Fingerprint of the runtime that it was checked on' }),
    failed: Type.Array(
      Type.Object({ case: Type.String(), reason: Type.String() }, { additionalProperties: false }),
    ),
    cached: Type.Boolean({
      description: 'Taken from an earlier evaluation of the same set on the same runtime',
    }),
  },
  { additionalProperties: false },
)
export type SelfCheck = Static<typeof SelfCheck>

/** How an evaluation went: nothing here is promised to be the same twice. */
export const ReportRun = Type.Object(
  {
    evaluation: Type.String(),
    kind: Type.Optional(Type.String({ description: 'Of the benchmark, such as stateeval' })),
    startedAt: Type.String({ format: 'date-time' }),
    finishedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Absent while the evaluation runs' }),
    ),
    wallMs: Type.Number({ description: 'Of an evaluation that runs: until now' }),
    samples: Type.Integer(),
    retries: Type.Integer({
      description: 'Runs or replies that were tried again after an infrastructure error',
    }),
    hosts: Type.Array(Type.String()),
    runtimes: Type.Array(Type.String()),
    sandboxes: Type.Optional(
      recordOf(Type.Integer(), {
        description:
          'Runs by how they were isolated; beside warm-jail, process-jail counts those that needed what an isolate lacks',
      }),
    ),
    selfCheck: Type.Union([SelfCheck, Type.Null()]),
    parameters: Type.Optional(
      recordOf(Type.Unknown(), {
        description: 'What the model was sent besides the prompt: temperature and the like',
      }),
    ),
    usage: Usage,
    costUsd: Type.Union([Type.Number(), Type.Null()], { description: 'null where no price is known' }),
    kept: Type.Optional(
      Type.Integer({
        description: 'Answers taken from earlier evaluations or a recording, which cost nothing here',
      }),
    ),
    repeated: Type.Optional(
      Type.Integer({
        description:
          'Requests sent again because the service was killed while they were in flight: what a crash cost',
      }),
    ),
    cut: Type.Optional(
      Type.Integer({
        description:
          'Answers that were cut short where tokens or length ran out, as the endpoint said; they tend to fail',
      }),
    ),
    budget: Type.Optional(Budget),
    secondOpinion: Type.Optional(
      Type.Object(
        { ...Spent.properties, retries: Type.Integer(), kept: Type.Integer(), repeated: Type.Integer() },
        {
          additionalProperties: false,
          description: 'What the second opinions used, which `usage` and `costUsd` leave out',
        },
      ),
    ),
    parties: Type.Optional(
      recordOf(Type.Object({ model: Type.String(), ...Spent.properties }, { additionalProperties: false }), {
        description: 'What those who play further parts used, by part; `usage` and `costUsd` leave it out',
      }),
    ),
    cases: Type.Optional(
      Type.Array(Type.Object({ case: Type.String(), ...Spent.properties }, { additionalProperties: false }), {
        description: 'What each case used, in the order of the set',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ReportRun = Static<typeof ReportRun>

export const Report = Type.Object({ result: ReportResult, run: ReportRun }, { additionalProperties: false })
export type Report = Static<typeof Report>
