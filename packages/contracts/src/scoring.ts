/** Verdicts and scores. */
import Type, { type Static } from 'typebox'
import { BenchmarkCase } from './case.ts'
import { ModelComparison, OverCases } from './comparison.ts'
import { Candidate } from './episode.ts'
import { Observation, WorldState } from './execution.ts'
import { defineRecord } from './basics/record.ts'
import { Seed } from './basics/seed.ts'

/** Another model's explanation of a failed sample, next to the scorer's root cause. */
export const SecondOpinion = Type.Union(
  [
    Type.Object(
      {
        cause: Type.String({
          description: 'A root cause from the benchmark’s closed list; unclear if the model named none',
        }),
        because: Type.String({ description: 'The model’s reason in one sentence; empty if it gave none' }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      { absent: Type.String({ description: 'Why there is no opinion: the call to the model failed' }) },
      { additionalProperties: false },
    ),
  ],
  {
    description: 'Another model’s explanation of why the sample failed. Does not affect any verdict or rate',
  },
)
export type SecondOpinion = { cause: string; because: string } | { absent: string }

/** One difference between expected and found, in words that a person can act on. */
export const ValueDifference = Type.Object(
  {
    where: Type.String({
      description:
        'The place: result or state with the path inside it; an argument, such as params.limit; or a call, such as call 2.city',
    }),
    expected: Type.Optional(Type.String()),
    found: Type.Optional(Type.String()),
    says: Type.String({ description: 'The difference as a sentence' }),
  },
  { additionalProperties: false },
)
export type ValueDifference = Static<typeof ValueDifference>

const PairedValue = Type.Object(
  {
    name: Type.String({ description: 'Name of the item, such as: the session titled "A"' }),
    expected: Type.Optional(
      Type.Unknown({
        description:
          'The outcome of the reference. Ids are tokens, the same on both sides if they correspond; tensors are their form and their first differing elements. Absent if only the run produced it',
      }),
    ),
    found: Type.Optional(
      Type.Unknown({ description: 'The value that the run produced; absent if it is missing' }),
    ),
    equal: Type.Boolean({ description: 'Whether the scorer considers them equal: up to ids and rounding' }),
    says: Type.Array(Type.String(), { maxItems: 12, description: 'How they differ, as sentences' }),
  },
  { additionalProperties: false },
)
const PairedCall = Type.Object(
  {
    expected: Type.Optional(Type.String({ description: 'A call of the reference, with ids as tokens' })),
    found: Type.Optional(
      Type.String({ description: 'A call of the run; absent if the run did not make it' }),
    ),
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the response that the run got' })),
    arguments: Type.Array(Type.String(), { description: 'Names of the arguments that differ' }),
    says: Type.Optional(
      Type.String({ description: 'The problem with the difference; absent if it is harmless' }),
    ),
  },
  { additionalProperties: false },
)
/** The results of a run next to the reference's, in the scorer's pairs. */
export const PairedRun = Type.Object(
  {
    parts: Type.Array(
      Type.Object(
        {
          where: Type.String({ description: 'RESULT, state, or an unordered list in the state' }),
          pairs: Type.Array(PairedValue),
        },
        { additionalProperties: false },
      ),
    ),
    calls: Type.Optional(
      Type.Array(PairedCall, {
        description:
          'The calls that the run made next to those of the reference, as the search for the root cause aligns them. Absent if the world logs no calls',
      }),
    ),
  },
  { additionalProperties: false },
)
export type PairedRun = Static<typeof PairedRun>

const CallMatch = Type.Object(
  {
    step: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The step of the expected call in the reference' }),
    ),
    expected: Type.Optional(Type.String({ description: 'The reference’s call; absent if there is none' })),
    reply: Type.Optional(Type.Integer({ minimum: 1, description: 'The reply that made the call' })),
    found: Type.Optional(Type.String({ description: 'The answer’s call; absent if it is missing' })),
    by: Type.Optional(
      Type.String({ description: 'The stage of matching that found them equal; absent if none did' }),
    ),
  },
  { additionalProperties: false },
)
export type CallMatch = Static<typeof CallMatch>

export const ScoreEvidence = Type.Object(
  {
    matches: Type.Optional(
      Type.Array(CallMatch, {
        description:
          'The reference’s calls by step, each beside the calls of the dialogue that were compared with it; then the calls that no expected call was left for',
      }),
    ),
    input: Type.Optional(Type.Integer({ minimum: 0, description: 'The first input that failed' })),
    differences: Type.Array(ValueDifference),
    error: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          message: Type.String(),
          line: Type.Optional(Type.Integer()),
          status: Type.Optional(Type.Integer()),
        },
        { additionalProperties: false },
      ),
    ),
    rootCause: Type.Optional(
      Type.Object(
        {
          cause: Type.String({ description: 'A root cause from the benchmark’s closed list' }),
          because: Type.String({ description: 'The evidence for the cause, as a sentence' }),
          kind: Type.Optional(
            Type.String({
              description: 'A more specific cause, from the benchmark’s closed list',
            }),
          ),
          api: Type.Optional(
            Type.String({ description: 'The API of the call at which the failure appears' }),
          ),
          argument: Type.Optional(
            Type.String({
              description: 'The argument of that call, or the property that was read from an answer',
            }),
          ),
          expected: Type.Optional(Type.String({ description: 'The reference’s call at that point' })),
          found: Type.Optional(Type.String({ description: 'The candidate’s call at that point' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ScoreEvidence = Static<typeof ScoreEvidence>

export const Score = Type.Object(
  {
    passed: Type.Boolean(),
    verdict: Type.String({
      description:
        'A verdict from the benchmark’s closed list. Two names have the same meaning in all benchmarks: timeout (the time limit ended the run) and infrastructure_error (does not concern the candidate, and is excluded from all rates)',
    }),
    reward: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: '1 for a pass, a lower value for partial success. Default: 1 for a pass, otherwise 0',
      }),
    ),
    metrics: defineRecord(Type.Union([Type.Number(), Type.Null()])),
    evidence: ScoreEvidence,
    policies: Type.Optional(
      defineRecord(
        Type.Object(
          {
            passed: Type.Boolean(),
            verdict: Type.String(),
            metrics: defineRecord(Type.Number()),
            differences: Type.Array(ValueDifference),
          },
          { additionalProperties: false },
        ),
        {
          description:
            'The verdict of each policy, for benchmarks with several. This score has the verdict of the chosen policy',
        },
      ),
    ),
    attempts: Type.Optional(
      Type.Array(
        Type.Object({ passed: Type.Boolean(), verdict: Type.String() }, { additionalProperties: false }),
        {
          description:
            'The verdict of every attempt, if the model was asked again. This score has the verdict of the last attempt',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Score = Static<typeof Score>

const closedObject = { additionalProperties: false } as const
/** A candidate of one test case; see Candidate. */
export const BenchmarkScoreItem = Type.Object(
  {
    kind: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The kind of benchmark, which determines the scoring',
    }),
    policy: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'One of the benchmark’s policies; the first is the default',
      }),
    ),
    case: BenchmarkCase,
    candidate: Candidate,
  },
  closedObject,
)

/**
 * Runs compared with expectations, without a benchmark. Exported because exports name the contract's
 * components.
 */
export const PlainScoreItem = Type.Object(
  {
    scenario: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The parts of RESULT and of the world that are compared',
    }),
    expected: Type.Array(Type.Object({ result: Type.Unknown(), world: WorldState }, closedObject), {
      minItems: 1,
      maxItems: 64,
      description: 'The reference’s RESULT and final world on each input',
    }),
    observed: Type.Array(Observation, {
      minItems: 1,
      maxItems: 64,
      description: 'One per input, in the same order',
    }),
  },
  closedObject,
)
export const ScoreItem = Type.Union([BenchmarkScoreItem, PlainScoreItem])
export type ScoreItem = Static<typeof ScoreItem>

const CaseCounts = Type.Array(
  Type.Object(
    { samples: Type.Integer({ minimum: 1, maximum: 100_000 }), passed: Type.Integer({ minimum: 0 }) },
    closedObject,
  ),
  { minItems: 1, maxItems: 100_000, description: 'Scored and passed samples of each case' },
)
const Named = { name: Type.Optional(Type.String({ maxLength: 200 })) }

export const StatisticsRequest = Type.Object(
  {
    seed: Type.Optional(
      Type.Union(Seed.anyOf, {
        default: 1,
        description: 'Seed of bootstraps and permutations; the same seed gives the same numbers',
      }),
    ),
    proportions: Type.Optional(
      Type.Array(
        Type.Object(
          { ...Named, successes: Type.Integer({ minimum: 0 }), total: Type.Integer({ minimum: 0 }) },
          closedObject,
        ),
        {
          maxItems: 10_000,
          description: 'Proportions of independent trials',
        },
      ),
    ),
    clustered: Type.Optional(
      Type.Array(Type.Object({ ...Named, cases: CaseCounts }, closedObject), {
        maxItems: 50,
        description: 'Pass rates over several samples of each case; samples of one case are not independent',
      }),
    ),
    passAtK: Type.Optional(
      Type.Object(
        {
          k: Type.Array(Type.Integer({ minimum: 1, maximum: 10_000 }), { minItems: 1, maxItems: 100 }),
          cases: CaseCounts,
        },
        closedObject,
      ),
    ),
    models: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 200 }),
            cases: Type.Array(
              Type.Object(
                {
                  case: Type.String({ minLength: 1, maxLength: 200 }),
                  samples: Type.Integer({ minimum: 1, maximum: 100_000 }),
                  passed: Type.Integer({ minimum: 0 }),
                },
                closedObject,
              ),
              { minItems: 1, maxItems: 100_000 },
            ),
          },
          closedObject,
        ),
        {
          minItems: 2,
          maxItems: 20,
          description: 'Models to compare pair by pair, on the cases that both have',
        },
      ),
    ),
  },
  closedObject,
)

const Interval = Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()])
const Share = Type.Union([Type.Number(), Type.Null()])
const RateOf = Type.Object(
  { name: Type.Optional(Type.String()), rate: Share, interval: Interval },
  closedObject,
)
export const Statistics = Type.Object(
  {
    proportions: Type.Array(RateOf, {
      description: 'Wilson score intervals, 95 %; null if the total is 0',
    }),
    clustered: Type.Array(RateOf, { description: 'Bootstrap intervals that draw whole cases, 95 %' }),
    passAtK: Type.Array(OverCases, {
      description:
        'The chance that one of k answers passes: the unbiased estimate, over the cases that have k samples; null if no case has k',
    }),
    passAllK: Type.Array(OverCases, {
      description: 'pass^k, the chance that all k answers pass, for the same cases and k',
    }),
    comparison: Type.Optional(ModelComparison),
    explanations: defineRecord(Type.String(), {
      description: 'An explanation of each statistic, in two sentences',
    }),
  },
  closedObject,
)
