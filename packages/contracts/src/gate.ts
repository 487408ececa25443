/** A gate: thresholds for an evaluation's report, and for its change from a baseline's, if one is named. */
import Type, { type Static } from 'typebox'
import { Seed } from './basics/seed.ts'
import { defineRecord } from './basics/record.ts'
import { Rate } from './report.ts'

const closedObject = { additionalProperties: false } as const
const Share = Type.Union([Type.Number(), Type.Null()])
const Threshold = { minimum: 0, maximum: 1 } as const

export const GateRequest = Type.Object(
  {
    minRate: Type.Optional(Type.Number({ ...Threshold, description: 'The minimum pass rate, from 0 to 1' })),
    maxUnscored: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000_000,
        description:
          'Maximum number of samples without a score; 0 if neither this nor maxUnscoredShare is given',
      }),
    ),
    unscored: Type.Optional(
      Type.Enum(['failed', 'excluded'] as const, {
        type: 'string',
        default: 'failed',
        description:
          'What samples without a score count as in the thresholds for rates. failed: the lower end of the rate’s bracket is checked. excluded: the rate of the scored samples is checked',
      }),
    ),
    maxUnscoredShare: Type.Optional(
      Type.Number({ ...Threshold, description: 'Largest share of samples without a score, from 0 to 1' }),
    ),
    baseline: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Id of an evaluation of the same benchmark that has succeeded; needs maxRegression or significant',
      }),
    ),
    maxRegression: Type.Optional(
      Type.Number({
        ...Threshold,
        description:
          'Largest allowed drop below the baseline’s pass rate, from 0 to 1: 0.02 is two percentage points',
      }),
    ),
    significant: Type.Optional(
      Type.Boolean({
        description:
          'true: a drop fails the gate only if it is also statistically significant. Without maxRegression: any significant drop',
      }),
    ),
    seed: Type.Optional(
      Type.Union(Seed.anyOf, {
        default: 1,
        description: 'Seed of bootstrap and permutations; the same seed gives the same bytes',
      }),
    ),
  },
  closedObject,
)
export type GateRequest = Static<typeof GateRequest>

/** One threshold, and whether it was met. */
export const GateCheck = Type.Object(
  {
    name: Type.Union([Type.Literal('rate'), Type.Literal('unscored'), Type.Literal('regression')]),
    passed: Type.Boolean(),
    says: Type.String({ description: 'The finding and the requirement, as a sentence' }),
  },
  closedObject,
)
export type GateCheck = Static<typeof GateCheck>

const Counted = Type.Object({ passed: Type.Integer(), samples: Type.Integer() }, closedObject)

/** A case that passes less or more often than in the baseline. */
export const GateFlip = Type.Object(
  { case: Type.String(), baseline: Counted, evaluation: Counted },
  closedObject,
)
export type GateFlip = Static<typeof GateFlip>

/** An evaluation and its baseline on the samples that both scored. */
export const GateComparison = Type.Object(
  {
    cases: Type.Integer({ description: 'Cases with at least one sample that both scored' }),
    samples: Type.Integer({ description: 'Pairs: the same sample of the same case, scored in both' }),
    rate: Type.Union(Share.anyOf, { description: 'Pass rate of the evaluation: mean over these cases' }),
    baselineRate: Type.Union(Share.anyOf, {
      description: 'Pass rate of the baseline: mean over these cases',
    }),
    difference: Type.Union(Share.anyOf, { description: 'rate − baselineRate; negative for a drop' }),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], {
      description:
        'Interval of the difference: paired bootstrap by case, wider for few cases, 95 %; Bonett and Price’s for fewer than five cases or where all cases differ alike',
    }),
    test: Type.Union([Type.Literal('mcnemar'), Type.Literal('sign-flip')]),
    exact: Type.Boolean({ description: 'Whether p comes from the full distribution' }),
    p: Type.Number({ description: 'Two-sided' }),
    significant: Type.Boolean({ description: 'Whether p is below alpha, in either direction' }),
    alpha: Type.Number(),
    power: Type.Number(),
    leastDifference: Type.Union(Share.anyOf, {
      description:
        'The smallest true difference that these cases can detect with this power; null if no case differs, or if even differences all in one direction could not be detected',
    }),
    regressed: Type.Integer({ description: 'Cases that pass less often than in the baseline' }),
    improved: Type.Integer({ description: 'Cases that pass more often than in the baseline' }),
    regressions: Type.Array(GateFlip, { description: 'The first 100 such cases, in the order of the set' }),
    improvements: Type.Array(GateFlip, { description: 'The first 100 such cases, in the order of the set' }),
  },
  closedObject,
)
export type GateComparison = Static<typeof GateComparison>

export const GateVerdict = Type.Object(
  {
    passed: Type.Boolean({ description: 'Whether every check passed' }),
    evaluation: Type.String(),
    baseline: Type.Optional(Type.String()),
    digest: Type.String({ description: 'Digest of the benchmark' }),
    samples: Type.Integer(),
    notScored: Type.Integer(),
    overall: Rate,
    checks: Type.Array(GateCheck, { minItems: 1 }),
    notes: Type.Array(Type.String(), { description: 'Limitations of the verdict, as sentences' }),
    comparison: Type.Optional(GateComparison),
    explanations: defineRecord(Type.String(), {
      description: 'An explanation of each statistic, in two sentences',
    }),
  },
  closedObject,
)
export type GateVerdict = Static<typeof GateVerdict>
