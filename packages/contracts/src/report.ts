/**
 * The two parts of a report: `result` is byte-identical for the same benchmark, answers and version; `run`
 * describes the execution.
 */
import Type, { type Static } from 'typebox'
import { RateBracket, bracketed, IntervalMethod, OverCases } from './comparison.ts'
import { jobStatuses } from './job.ts'
import { NamedCounts } from './named-counts.ts'
import { defineRecord } from './basics/record.ts'
import { Score, SecondOpinion } from './scoring.ts'
import { UnscoredKind } from './unscored.ts'

export const Rate = Type.Object(
  {
    passed: Type.Integer(),
    scored: Type.Integer(),
    rate: Type.Union([Type.Number(), Type.Null()], { description: 'null if nothing was scored' }),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], { description: '95 %' }),
    method: Type.Optional(IntervalMethod),
    ...bracketed,
  },
  { additionalProperties: false },
)
export type Rate = Static<typeof Rate>

/** One sample of one case. `score` is null if it was not scored, with the reason in one word and in full. */
export const ScoredSample = Type.Object(
  {
    case: Type.String(),
    sample: Type.Integer({ minimum: 0 }),
    score: Type.Union([Score, Type.Null()]),
    notScored: Type.Optional(Type.String()),
    /** Absent where a version before scored it. */
    reason: Type.Optional(UnscoredKind),
    secondOpinion: Type.Optional(SecondOpinion),
    mutant: Type.Optional(
      Type.Object(
        {
          operator: Type.String(),
          site: Type.String(),
          /**
           * caught: scored as failed. survived: passed but differs from the reference somewhere. equivalent:
           * never differed.
           */
          outcome: Type.Union([
            Type.Literal('caught_by_exception'),
            Type.Literal('caught_by_comparison'),
            Type.Literal('survived'),
            Type.Literal('equivalent'),
            Type.Literal('disputed'),
            Type.Literal('not_scored'),
          ]),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ScoredSample = Static<typeof ScoredSample>

export const MutationReport = Type.Object(
  {
    caught: Type.Integer(),
    byException: Type.Integer(),
    byComparison: Type.Integer(),
    equivalent: Type.Integer(),
    survived: Type.Integer(),
    disputed: Type.Integer({
      description:
        'Mutants that the scorer fails although the independent comparison finds no difference: a scorer bug',
    }),
    score: Type.Union([Type.Number(), Type.Null()], { description: 'caught / non-equivalent' }),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()]),
    method: Type.Optional(IntervalMethod),
    ...bracketed,
    operators: Type.Array(
      Type.Object(
        {
          operator: Type.String(),
          caught: Type.Integer(),
          byException: Type.Integer(),
          byComparison: Type.Integer(),
          survived: Type.Integer(),
          equivalent: Type.Integer(),
          score: Type.Union([Type.Number(), Type.Null()]),
          interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()]),
          method: Type.Optional(IntervalMethod),
          ...bracketed,
        },
        { additionalProperties: false },
      ),
    ),
    survivors: Type.Array(
      Type.Object(
        { case: Type.String(), sample: Type.Integer(), operator: Type.String(), site: Type.String() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
export type MutationReport = Static<typeof MutationReport>

/** Statistics beyond the rate, for several samples per case. */
export const ReportStatistics = Type.Object(
  {
    cases: Type.Integer({ description: 'Cases with at least one scored sample' }),
    clustered: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], {
      description: 'Interval of the overall rate: bootstrap that draws whole cases, 95 %',
    }),
    passAtK: Type.Array(OverCases, {
      description: 'Unbiased estimate of the chance that at least one of k answers passes',
    }),
    passAllK: Type.Array(OverCases, {
      description: 'pass^k: unbiased estimate of the chance that all k answers pass',
    }),
  },
  { additionalProperties: false },
)
export type ReportStatistics = Static<typeof ReportStatistics>

/** Errors, in lists that the benchmark names and whose entries it counts. */
export const ErrorReport = defineRecord(Type.Array(NamedCounts), {
  description: 'Common properties of the failed samples, in lists that the benchmark names',
})
export type ErrorReport = Static<typeof ErrorReport>

/** Measures under a benchmark's own names, for all samples and for parts of them. */
const Measures = Type.Object(
  {
    policy: Type.String(),
    group: Type.String({ description: 'all, or the name of the grouping, such as api or method' }),
    name: Type.String({ description: 'The group: all, one API, or one method' }),
    values: defineRecord(Type.Union([Type.Number(), Type.Null()])),
    brackets: Type.Optional(
      defineRecord(RateBracket, {
        description: 'The brackets of those values that are rates of samples, by name',
      }),
    ),
    intervals: Type.Optional(
      defineRecord(Type.Tuple([Type.Number(), Type.Number()]), {
        description: '95 % intervals of values over the cases that they are made of, by name',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Measures = Static<typeof Measures>

/** Places where policies differ about a sample, and why. */
const Disagreement = Type.Object(
  {
    case: Type.String(),
    sample: Type.Integer(),
    verdicts: defineRecord(Type.String()),
    why: Type.Array(Type.String()),
  },
  { additionalProperties: false },
)
export type Disagreement = Static<typeof Disagreement>

const Bounds = Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], {
  description: '95 % interval; null with too few samples',
})
/** The agreement of another model and the scorer on root causes. */
export const OpinionReport = Type.Object(
  {
    model: Type.String(),
    failed: Type.Integer({ description: 'Samples that the model was asked about' }),
    unclear: Type.Integer({ description: 'Answers that name no cause' }),
    absent: Type.Array(
      Type.Object({ reason: Type.String(), samples: Type.Integer() }, { additionalProperties: false }),
      {
        description: 'Number of samples without an opinion, by reason',
      },
    ),
    compared: Type.Integer({ description: 'Samples in which both name a cause' }),
    agreed: Type.Integer(),
    share: Type.Union([Type.Number(), Type.Null()], { description: 'agreed / compared' }),
    interval: Bounds,
    kappa: Type.Union([Type.Number(), Type.Null()], {
      description: 'Cohen’s kappa: agreement beyond chance; null if both always name the same single cause',
    }),
    kappaInterval: Bounds,
    causes: Type.Array(
      Type.Object(
        {
          ours: Type.String({ description: 'The scorer’s root cause' }),
          theirs: Type.String({ description: 'The model’s, or unclear' }),
          samples: Type.Integer({ minimum: 1 }),
        },
        { additionalProperties: false },
      ),
      { description: 'Rows in the order of the benchmark’s list of root causes' },
    ),
    differ: Type.Array(
      Type.Object(
        {
          case: Type.String(),
          sample: Type.Integer(),
          ours: Type.String(),
          theirs: Type.String(),
          because: Type.String(),
        },
        { additionalProperties: false },
      ),
      { description: 'Samples for which they name different causes' },
    ),
  },
  { additionalProperties: false },
)
export type OpinionReport = Static<typeof OpinionReport>

/** The samples that have something in common, such as an API that their programs call. */
const Group = Type.Object(
  {
    name: Type.String(),
    scenario: Type.Optional(Type.String({ description: 'For an API: its scenario, if the set has several' })),
    rate: Rate,
  },
  { additionalProperties: false },
)

export const ReportResult = Type.Object(
  {
    digest: Type.String({ description: 'Digest of the benchmark' }),
    model: Type.String(),
    options: defineRecord(Type.Unknown()),
    version: Type.String({ description: 'Version of the scoring code' }),
    partial: Type.Optional(
      Type.Object(
        {
          status: Type.Enum(jobStatuses, { type: 'string' }),
          ended: Type.Integer(),
          samples: Type.Integer(),
        },
        {
          additionalProperties: false,
          description:
            'Present if the evaluation has not succeeded: its status, and the numbers of ended and of all samples. Every figure of this result covers the ended samples only',
        },
      ),
    ),
    overall: Rate,
    firstTry: Type.Optional(
      Type.Object(Rate.properties, {
        additionalProperties: false,
        description: 'Pass rate of the first attempts, if models were asked again (reflect)',
      }),
    ),
    statistics: Type.Optional(ReportStatistics),
    notScored: Type.Integer(),
    notScoredByReason: Type.Optional(
      defineRecord(Type.Integer(), {
        description: 'Number of samples without a score by reason; absent if every sample has one',
      }),
    ),
    verdicts: defineRecord(Type.Integer(), { description: 'Number of samples by verdict of the benchmark' }),
    rootCauses: defineRecord(Type.Integer(), {
      description: 'Number of samples by root cause; empty if the benchmark names no causes',
    }),
    groups: defineRecord(Type.Array(Group), {
      description: 'The pass rates within each of the benchmark’s groupings',
    }),
    errors: Type.Optional(ErrorReport),
    measures: Type.Optional(Type.Array(Measures)),
    disagreements: Type.Optional(Type.Array(Disagreement)),
    secondOpinion: Type.Optional(OpinionReport),
    mutation: Type.Optional(MutationReport),
    explanations: Type.Optional(
      defineRecord(Type.String(), {
        description: 'Explanations of the intervals: two sentences for each method in this report',
      }),
    ),
    samples: Type.Array(ScoredSample),
  },
  { additionalProperties: false },
)
export type ReportResult = Static<typeof ReportResult>
