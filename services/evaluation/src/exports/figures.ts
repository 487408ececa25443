/** The figures of a report as a list, for export formats without a report structure. */
import type { Json, OverCases } from '@stateeval/contracts'
import type { ReportFigures } from '../owners/report.ts'

export interface Figure {
  id: string
  name: string
  kind: string
  score: number
  unit?: string
  /** Of a share. */
  isShare?: boolean
  interval?: readonly [number, number] | null
  method?: string
  samples?: number
  parameters?: Record<string, Json>
  policy?: string
}

const overCases = (kind: string, list: readonly OverCases[]): Figure[] =>
  list.flatMap(({ k, estimate, cases }) =>
    k === 1 || estimate === null
      ? []
      : [
          {
            id: `${kind}_${k}`,
            name: kind === 'pass_at_k' ? `pass@${k}` : `pass^${k}`,
            kind,
            score: estimate,
            isShare: true,
            samples: cases,
            parameters: { k },
          },
        ],
  )

/** Every figure of a report: the pass rate, pass@k, the mutation score, and the benchmark's own measures. */
export function figuresOf({ overall, statistics, mutation, measures = [] }: ReportFigures): Figure[] {
  const { rate, interval, method, scored } = overall
  return [
    ...(rate === null
      ? []
      : [
          {
            ...{
              id: 'pass_rate',
              name: 'Pass rate',
              kind: 'pass_rate',
              score: rate,
              isShare: true,
              interval,
            },
            ...(method !== undefined && { method }),
            samples: scored,
          },
        ]),
    ...overCases('pass_at_k', statistics?.passAtK ?? []),
    ...overCases('pass_all_k', statistics?.passAllK ?? []),
    ...(mutation && mutation.score !== null
      ? [
          {
            id: 'mutation_score',
            name: 'Mutation score',
            kind: 'mutation_score',
            score: mutation.score,
            isShare: true,
          },
        ]
      : []),
    ...measures
      .filter(({ group, name }) => group === 'all' && name === 'all')
      .flatMap(({ policy, values }) =>
        Object.entries(values).flatMap(([name, score]): Figure[] =>
          score === null ? [] : [{ id: `${policy}/${name}`, name, kind: 'measure', score, policy }],
        ),
      ),
  ]
}
