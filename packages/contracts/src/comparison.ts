/**
 * Models compared on the same cases: rates with intervals, paired tests, and the least detectable effect.
 */
import Type, { type Static } from 'typebox'
import { NamedCounts } from './named-counts.ts'
import { defineRecord } from './basics/record.ts'
import { Seed } from './basics/seed.ts'

const closedObject = { additionalProperties: false } as const
const Interval = Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()])
const Share = Type.Union([Type.Number(), Type.Null()])

/** The method of an interval. */
export const IntervalMethod = Type.Union([Type.Literal('wilson'), Type.Literal('clustered')], {
  description:
    'wilson: each case has one sample; clustered: a case has several, and a bootstrap draws whole cases',
})

/** The ends of a rate that depend on samples without a score. */
export const RateBracket = Type.Tuple([Type.Number(), Type.Number()], {
  description:
    'The rate if every sample without a score counted as failed, and if it counted as passed. Absent if every sample has a score',
})
export type RateBracket = Static<typeof RateBracket>

/** An estimate over cases, such as pass@k. */
export const OverCases = Type.Object(
  {
    k: Type.Integer(),
    estimate: Share,
    cases: Type.Integer({ description: 'Cases that have k samples' }),
    bracket: Type.Optional(RateBracket),
  },
  closedObject,
)
export type OverCases = Static<typeof OverCases>

/** The members of a rate that it has only with samples without a score. */
export const bracketed = {
  unscored: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Samples without a score, which the rate excludes' }),
  ),
  bracket: Type.Optional(RateBracket),
}

export const ComparedModel = Type.Object(
  {
    name: Type.String(),
    cases: Type.Integer({ description: 'Cases with at least one scored sample' }),
    samples: Type.Integer({ description: 'Scored' }),
    passed: Type.Integer(),
    rate: Share,
    interval: Type.Union(Interval.anyOf, { description: 'Interval of the rate, 95 %, as in reports' }),
    method: Type.Optional(IntervalMethod),
    ...bracketed,
    passAtK: Type.Array(OverCases, {
      description: 'Unbiased estimate of the chance that at least one of k answers passes',
    }),
    passAllK: Type.Array(OverCases, {
      description: 'pass^k: unbiased estimate of the chance that all k answers pass',
    }),
    noise: Type.Optional(
      Type.Union(Share.anyOf, {
        description:
          'The noise floor: the difference of rates that two evaluations of this model stay below, 95 %; null if a case has one sample. Absent if all cases have one sample',
      }),
    ),
  },
  closedObject,
)
export type ComparedModel = Static<typeof ComparedModel>

export const ComparedPair = Type.Object(
  {
    a: Type.String(),
    b: Type.String(),
    cases: Type.Integer({ description: 'Cases that both have' }),
    difference: Type.Union(Share.anyOf, {
      description: 'a − b: the mean difference of pass rates over cases',
    }),
    interval: Type.Union(Interval.anyOf, {
      description:
        'Interval of the difference: paired bootstrap by case, wider for few cases, 95 %; Bonett and Price’s for fewer than five cases or where all cases differ alike',
    }),
    betterA: Type.Integer({ description: 'Cases that a passes more often than b' }),
    betterB: Type.Integer({ description: 'Cases that b passes more often than a' }),
    test: Type.Union([Type.Literal('mcnemar'), Type.Literal('sign-flip')], {
      description:
        'McNemar’s exact test with one sample per case, otherwise the sign-flip permutation test of the cases’ differences',
    }),
    exact: Type.Boolean({
      description:
        'Whether p comes from the full distribution; otherwise it comes from 20 000 drawn permutations',
    }),
    p: Type.Number({ description: 'Two-sided' }),
    adjusted: Type.Number({ description: 'p after Holm’s correction for all pairs' }),
    significant: Type.Boolean({ description: 'Whether the corrected p is below alpha' }),
    leastDifference: Type.Union(Share.anyOf, {
      description:
        'The smallest true difference that the set detects with this power; null if it can detect none',
    }),
  },
  closedObject,
)
export type ComparedPair = Static<typeof ComparedPair>

/** A measure of samples, such as a share of correct arguments, on the cases that both models have. */
export const ComparedMeasure = Type.Object(
  {
    measure: Type.String({ description: 'Name in the metrics of scores' }),
    a: Type.String(),
    b: Type.String(),
    cases: Type.Integer({ description: 'Cases for which both have the measure' }),
    means: Type.Tuple([Type.Number(), Type.Number()], {
      description: 'Means of a and b over these cases; a case counts with the mean of its samples',
    }),
    difference: Type.Number({ description: 'a − b: the mean difference over cases' }),
    interval: Type.Union(Interval.anyOf, {
      description:
        'Interval of the difference: paired bootstrap by case, wider for few cases, 95 %; not corrected for many measures. null for fewer than five cases, or where all cases differ alike',
    }),
    higherA: Type.Integer({ description: 'Cases in which a has the higher value' }),
    higherB: Type.Integer({ description: 'Cases in which b has the higher value' }),
  },
  closedObject,
)
export type ComparedMeasure = Static<typeof ComparedMeasure>

export const ModelComparison = Type.Object(
  {
    alpha: Type.Number(),
    power: Type.Number(),
    models: Type.Array(ComparedModel),
    pairs: Type.Array(ComparedPair),
    explanations: defineRecord(Type.String(), {
      description: 'An explanation of each statistic, in two sentences',
    }),
  },
  closedObject,
)
export type ModelComparison = Static<typeof ModelComparison>

export const ComparisonRequest = Type.Object(
  {
    evaluations: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 2,
      maxItems: 20,
      description: 'Ids of evaluations of one benchmark that have succeeded',
    }),
    seed: Type.Optional(
      Type.Union(Seed.anyOf, {
        default: 1,
        description: 'Seed of the bootstrap; the same seed gives the same bytes',
      }),
    ),
  },
  closedObject,
)
export type ComparisonRequest = Static<typeof ComparisonRequest>

/** The effort of an evaluation. */
const Effort = Type.Object(
  {
    requests: Type.Integer({ description: 'Answers that the model gave' }),
    promptTokens: Type.Integer(),
    completionTokens: Type.Integer(),
    seconds: Type.Number({ description: 'Duration of the evaluation, including waiting' }),
  },
  closedObject,
)
/** Rates of something in each evaluation. */
const ratesOfEach = {
  rates: Type.Array(Share),
  brackets: Type.Optional(
    Type.Array(Type.Union([RateBracket, Type.Null()]), {
      description:
        'The ends of each rate if samples without a score counted as failed, and as passed; null if every sample has a score. Absent if all are null',
    }),
  ),
}

/** The maximum number of cases that a comparison names. */
export const maxDiffering = 1000

/**
 * A comparison as a resource. It is made once from reports, which never change, so it never changes either.
 */
export const ComparisonResource = Type.Object(
  {
    id: Type.String(),
    digest: Type.String({ description: 'Digest of the benchmark that all evaluations share' }),
    kind: Type.Optional(Type.String({ description: 'The kind of the compared benchmark' })),
    evaluations: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String({
            description: 'Name in the comparison: the model, with the options that distinguish it',
          }),
          model: Type.String(),
          options: defineRecord(Type.Unknown()),
          notScored: Type.Integer(),
          effort: Type.Optional(Effort),
          measures: Type.Optional(
            defineRecord(Type.Union([Type.Number(), Type.Null()]), {
              description: 'Measures over all samples under the first policy, by the benchmark’s names',
            }),
          ),
        },
        closedObject,
      ),
    ),
    comparison: ModelComparison,
    policies: Type.Optional(
      defineRecord(Type.Array(ComparedPair), {
        description:
          'For kinds with several policies: the paired tests of the first evaluation and each other one, by policy',
      }),
    ),
    measures: Type.Optional(
      Type.Array(ComparedMeasure, {
        description: 'Measures of samples that differ between the first evaluation and another one',
      }),
    ),
    differing: Type.Optional(
      Type.Array(Type.Object({ case: Type.String(), ...ratesOfEach }, closedObject), {
        maxItems: maxDiffering,
        description: `Cases whose pass rates differ, with the rates in the order of the evaluations; null if a case was not scored. The first ${maxDiffering}`,
      }),
    ),
    groups: defineRecord(
      Type.Array(
        Type.Object(
          {
            name: Type.String(),
            scenario: Type.Optional(
              Type.String({ description: 'For an API: its scenario, if the set has several' }),
            ),
            ...ratesOfEach,
          },
          closedObject,
        ),
      ),
      {
        description: 'Pass rates within groups, in the order of the evaluations',
      },
    ),
    errors: Type.Array(Type.Array(NamedCounts), {
      description:
        'The error lists that the kind of benchmark compares, in the order of the evaluations; empty if it compares none',
    }),
    links: defineRecord(Type.String()),
  },
  closedObject,
)
export type ComparisonResource = Static<typeof ComparisonResource>
