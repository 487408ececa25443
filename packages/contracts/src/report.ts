/** A report's two parts: `result` is byte-identical for the same benchmark, answers and version; `run` is how it went. */
import Type, { type Static } from 'typebox'
import { Score } from './scoring.ts'

const Rate = Type.Object(
  {
    passed: Type.Integer(),
    scored: Type.Integer(),
    rate: Type.Union([Type.Number(), Type.Null()], { description: 'null where nothing was scored' }),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], { description: 'Wilson, 95 %' }),
  },
  { additionalProperties: false },
)
export type Rate = Static<typeof Rate>

/** One sample of one case. `score` is null where it was not scored, with the reason. */
export const ScoredSample = Type.Object(
  {
    case: Type.String(),
    sample: Type.Integer({ minimum: 0 }),
    score: Type.Union([Score, Type.Null()]),
    notScored: Type.Optional(Type.String()),
    mutant: Type.Optional(
      Type.Object(
        {
          operator: Type.String(),
          site: Type.String(),
          /** caught: scored as failed. survived: passed but differs from the reference somewhere. equivalent: never differed. */
          fate: Type.Union([
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
      description: 'Failed by the scorer although the independent comparison sees no difference: a bug of the scorer',
    }),
    score: Type.Union([Type.Number(), Type.Null()], { description: 'caught / non-equivalent' }),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()]),
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

export const ReportResult = Type.Object(
  {
    benchmark: Type.String({ description: 'Id of the benchmark’s manifest' }),
    model: Type.String(),
    options: Type.Record(Type.String(), Type.Unknown()),
    version: Type.String({ description: 'Version of the scoring code' }),
    overall: Rate,
    notScored: Type.Integer(),
    verdicts: Type.Record(Type.String(), Type.Integer()),
    rootCauses: Type.Record(Type.String(), Type.Integer()),
    groups: Type.Record(Type.String(), Type.Array(Type.Object({ name: Type.String(), rate: Rate }, { additionalProperties: false })), {
      description: 'By scenario, length, branch, path depth, API …',
    }),
    mutation: Type.Optional(MutationReport),
    samples: Type.Array(ScoredSample),
  },
  { additionalProperties: false },
)
export type ReportResult = Static<typeof ReportResult>
