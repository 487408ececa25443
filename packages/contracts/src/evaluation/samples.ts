/** Samples as rows of a table, and one sample with all evidence for its verdict. */
import Type, { type Static } from 'typebox'
import { defineRecord } from '../basics/record.ts'
import { Candidate } from '../episode.ts'
import { RateBracket } from '../comparison.ts'
import { Observation } from '../execution.ts'
import { ScoredSample } from '../report.ts'
import { PairedRun } from '../scoring.ts'

const closed = { additionalProperties: false } as const

export const SampleRow = Type.Object(
  {
    place: Type.Integer({
      minimum: 0,
      description: 'Position among all samples of the evaluation, by case, then by sample',
    }),
    case: Type.String(),
    sample: Type.Integer({ minimum: 0 }),
    group: Type.String({
      description:
        'The scenario of the case, or the group that its kind counts it in; empty if the set was deleted',
    }),
    passed: Type.Union([Type.Boolean(), Type.Null()], { description: 'null if the sample was not scored' }),
    verdict: Type.Union([Type.String(), Type.Null()]),
    cause: Type.Optional(Type.String({ description: 'The root cause of its failure' })),
    says: Type.String({ description: 'Why the sample failed, in one line; empty if it passed' }),
    baseline: Type.Optional(
      Type.Union([Type.Number(), Type.Null()], {
        description:
          'The share of the case’s scored samples that pass in the baseline; null if none was scored. Only if the query names a baseline',
      }),
    ),
    baselineBracket: Type.Optional(
      Type.Tuple([...RateBracket.items], {
        description:
          'The ends of that share if the case’s samples without a score counted as failed, and as passed. Absent if every sample has a score',
      }),
    ),
  },
  closed,
)
export type SampleRow = Static<typeof SampleRow>

const defineCounts = (description: string) => defineRecord(Type.Integer(), { description })
export const SampleTable = Type.Object(
  {
    ended: Type.Integer({ description: 'Samples that have ended' }),
    total: Type.Integer({ description: 'Number of ended samples that match the filters' }),
    items: Type.Array(SampleRow),
    verdicts: defineCounts('Number of ended samples by verdict'),
    causes: defineCounts('Number of samples by root cause'),
    groups: defineCounts('Number of samples by group'),
  },
  closed,
)
export type SampleTable = Static<typeof SampleTable>

const name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
export const SampleTableQuery = Type.Object(
  {
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 999_999_999, default: 0, description: 'Number of rows to skip' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Rows of a page' }),
    ),
    passed: Type.Optional(
      Type.Union([Type.Literal('yes'), Type.Literal('no'), Type.Literal('not scored')], {
        description: 'Only these',
      }),
    ),
    verdict: name,
    cause: name,
    group: name,
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Words to find in the sample’s texts, regardless of case',
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'A regular expression to find in the sample’s texts, in the syntax of RE2, which takes linear time. ^ and $ match at lines; (?i) ignores case',
      }),
    ),
    in: Type.Optional(
      Type.Union([Type.Literal('instruction'), Type.Literal('code'), Type.Literal('error')], {
        description:
          'The text to search: the instruction (its first 4 000 characters), the answer with its code (16 000), or the error (2 000), which includes the case’s name, the verdict, differences and root cause. Default: all three',
      }),
    ),
    baseline: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'An evaluation of the same benchmark to compare with',
      }),
    ),
    differs: Type.Optional(
      Type.Union([Type.Literal('better'), Type.Literal('worse'), Type.Literal('any')], {
        description: 'Only samples of cases that pass more often, or less often, than in the baseline',
      }),
    ),
    sort: Type.Optional(
      Type.Union(
        [Type.Literal('place'), Type.Literal('verdict'), Type.Literal('cause'), Type.Literal('group')],
        { default: 'place', description: 'The column to sort by; samples without a value come last' },
      ),
    ),
    order: Type.Optional(
      Type.Union([Type.Literal('rising'), Type.Literal('falling')], { default: 'rising' }),
    ),
  },
  closed,
)
export type SampleTableQuery = Static<typeof SampleTableQuery>

export const SampleDetail = Type.Object(
  {
    place: Type.Integer({ minimum: 0 }),
    samples: Type.Integer({ minimum: 0, description: 'Number of samples of the evaluation' }),
    scored: ScoredSample,
    details: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Further lines about the failure from its kind of benchmark',
      }),
    ),
    candidate: Type.Union([Candidate, Type.Null()], {
      description: 'The evidence of its score; null if none is stored',
    }),
    expected: Type.Union([Type.Array(Observation), Type.Null()], {
      description: 'The reference’s observation on each input, if the kind of benchmark compares with it',
    }),
    paired: Type.Union([Type.Array(Type.Array(Type.Union([PairedRun, Type.Null()]))), Type.Null()], {
      description:
        'For each run of the candidate and each input: its outcome and the reference’s, in the scorer’s pairs; null if there is nothing to compare, or if the kind of benchmark does not compare outcomes',
    }),
  },
  closed,
)
export type SampleDetail = Static<typeof SampleDetail>
