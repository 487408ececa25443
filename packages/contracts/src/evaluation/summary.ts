/** A report without its samples, with the sections of its kind of benchmark. Its size is bounded. */
import Type, { type Static } from 'typebox'
import { ReportResult } from '../report.ts'
import { ReportRun } from './report-run.ts'

const closed = { additionalProperties: false } as const
const title = Type.Optional(
  Type.String({ description: 'A section without a title belongs to the previous section' }),
)
/** Number of omitted rows or lines here: the report has them. */
const more = Type.Optional(Type.Integer({ minimum: 1, description: 'Number of omitted rows or lines' }))

/** A section of a report, defined by the kind of benchmark. */
export const ReportSection = Type.Union([
  Type.Object(
    {
      title,
      more,
      table: Type.Object(
        {
          head: Type.Array(Type.String()),
          rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number()]))),
        },
        closed,
      ),
    },
    closed,
  ),
  Type.Object(
    {
      title,
      more,
      parts: Type.Object(
        {
          label: Type.String({ description: 'What the bars measure' }),
          names: Type.String({ description: 'The heading of the names' }),
          sum: Type.String({ description: 'The heading of the sums' }),
          parts: Type.Array(Type.String()),
          rows: Type.Array(
            Type.Object(
              {
                name: Type.String(),
                counts: Type.Array(Type.Number(), { description: 'Counts in the order of the parts' }),
              },
              closed,
            ),
          ),
        },
        { ...closed, description: 'Counts that add up to a sum' },
      ),
    },
    closed,
  ),
  Type.Object(
    {
      title,
      more,
      lines: Type.Array(Type.String(), { description: 'The first line introduces the others' }),
    },
    closed,
  ),
])
export type ReportSection = Static<typeof ReportSection>

const { samples: _s, disagreements: _d, measures: _m, errors: _e, ...shown } = ReportResult.properties
const { cases: _c, ...run } = ReportRun.properties

export const EvaluationSummary = Type.Object(
  {
    result: Type.Object(shown, {
      ...closed,
      description: 'The report’s result without the parts that grow with the number of samples',
    }),
    run: Type.Object(run, { ...closed, description: 'The report’s run without the usage of each case' }),
    sections: Type.Array(ReportSection, {
      description: 'The sections that the kind of benchmark shows below the pass rates',
    }),
    failures: Type.Array(ReportSection, { description: 'Its sections about failures' }),
  },
  closed,
)
export type EvaluationSummary = Static<typeof EvaluationSummary>
