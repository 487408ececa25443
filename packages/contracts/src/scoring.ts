/** Verdicts and scores. */
import Type, { type Static } from 'typebox'
import { BenchmarkCase } from './case.ts'
import { ModelComparison, OverCases } from './comparison.ts'
import { Candidate } from './episode.ts'
import { Observation, WorldState } from './execution.ts'
import { recordOf } from './basics/record.ts'
import { Seed } from './basics/seed.ts'

/** What another model says of a failed sample, beside the scorer's own root cause. */
export const SecondOpinion = Type.Union(
  [
    Type.Object(
      {
        cause: Type.String({
          description:
            'One of the root causes of the benchmark’s own closed list; unclear where it names none',
        }),
        because: Type.String({ description: 'Its reason in a sentence; empty where it gave none' }),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      { absent: Type.String({ description: 'Why there is no opinion: the call to the model failed' }) },
      { additionalProperties: false },
    ),
  ],
  { description: 'Why the sample failed, as another model says. No verdict and no rate depends on it' },
)
export type SecondOpinion = { cause: string; because: string } | { absent: string }

/** One place where expected and found differ, in words that a person can act on. */
export const Difference = Type.Object(
  {
    where: Type.String({ description: 'result, or state, with the path inside it' }),
    expected: Type.Optional(Type.String()),
    found: Type.Optional(Type.String()),
    says: Type.String({ description: 'The difference as a sentence' }),
  },
  { additionalProperties: false },
)
export type Difference = Static<typeof Difference>

export const Evidence = Type.Object(
  {
    input: Type.Optional(Type.Integer({ minimum: 0, description: 'The first input that failed' })),
    differences: Type.Array(Difference),
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
          cause: Type.String({ description: 'From the benchmark’s own closed list of root causes' }),
          because: Type.String({ description: 'What it rests on, as a sentence' }),
          kind: Type.Optional(
            Type.String({
              description: 'What went wrong within the cause, from the benchmark’s own closed list',
            }),
          ),
          api: Type.Optional(Type.String({ description: 'The API of the call at which it shows' })),
          argument: Type.Optional(
            Type.String({ description: 'The argument of that call, or the property that was read' }),
          ),
          expected: Type.Optional(Type.String({ description: 'The reference’s call there' })),
          found: Type.Optional(Type.String({ description: 'The candidate’s call there' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type Evidence = Static<typeof Evidence>

export const Score = Type.Object(
  {
    passed: Type.Boolean(),
    verdict: Type.String({
      description:
        'From the benchmark’s own closed list. Two names mean the same in all: timeout (ended by its time limit) and infrastructure_error (says nothing of the candidate, and counts in no rate)',
    }),
    reward: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: '1 where it passed, less for less. Absent: 1 where it passed, else 0',
      }),
    ),
    metrics: recordOf(Type.Union([Type.Number(), Type.Null()])),
    evidence: Evidence,
    policies: Type.Optional(
      recordOf(
        Type.Object(
          {
            passed: Type.Boolean(),
            verdict: Type.String(),
            metrics: recordOf(Type.Number()),
            differences: Type.Array(Difference),
          },
          { additionalProperties: false },
        ),
        {
          description:
            'What each policy says, where the benchmark judges by several; the chosen one’s verdict is this score’s',
        },
      ),
    ),
    attempts: Type.Optional(
      Type.Array(
        Type.Object({ passed: Type.Boolean(), verdict: Type.String() }, { additionalProperties: false }),
        {
          description:
            'Where a model was asked again: every attempt’s verdict, the last one being this score’s',
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
      description: 'The kind of benchmark, which says how to score',
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
 * Runs compared with what was expected of them, without a benchmark. Exported, as exports name the contract's
 * components.
 */
export const PlainScoreItem = Type.Object(
  {
    scenario: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Which parts of RESULT and of the world count',
    }),
    expected: Type.Array(Type.Object({ result: Type.Unknown(), world: WorldState }, closedObject), {
      minItems: 1,
      maxItems: 64,
      description: 'RESULT and final world of each input, as the reference left them',
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
        description: 'Of bootstraps and permutations: same seed, same numbers',
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
          description: 'Of independent things',
        },
      ),
    ),
    clustered: Type.Optional(
      Type.Array(Type.Object({ ...Named, cases: CaseCounts }, closedObject), {
        maxItems: 50,
        description: 'Pass rates over several samples of each case, which are not independent',
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
        { minItems: 2, maxItems: 20, description: 'To be compared pair by pair on the cases that both have' },
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
      description: 'Wilson score intervals, 95 %; null where the total is 0',
    }),
    clustered: Type.Array(RateOf, { description: 'Bootstrap intervals that draw whole cases, 95 %' }),
    passAtK: Type.Array(OverCases, {
      description:
        'The chance that one of k answers passes: the unbiased estimate, over the cases that have k samples; null where none has',
    }),
    passAllK: Type.Array(OverCases, {
      description: 'pass^k, the chance that all k answers pass, for the same cases and k',
    }),
    comparison: Type.Optional(ModelComparison),
    explanations: recordOf(Type.String(), { description: 'What each statistic says, in two sentences' }),
  },
  closedObject,
)
