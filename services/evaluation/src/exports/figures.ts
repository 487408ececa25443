/** The figures of a report as a list, for export formats without a report structure. */
import type { RateBracket, JsonValue, OverCases } from '@stateeval/contracts'
import { findMeasureDirection, type MeasureDirection, type MeasureDirections } from '@stateeval/program'
import type { ReportFigures } from '../owners/report.ts'

export interface ReportFigure {
  id: string
  name: string
  kind: string
  score: number
  unit?: string
  /** True if the figure is a share. */
  isShare?: boolean
  interval?: readonly [number, number] | null
  method?: string
  /** Its ends if samples without a score counted as failed, and as passed. */
  bracket?: RateBracket
  samples?: number
  parameters?: Record<string, JsonValue>
  policy?: string
  better: MeasureDirection
}

const listEstimateFigures = (kind: string, list: readonly OverCases[]): ReportFigure[] =>
  list.flatMap(({ k, estimate, cases, bracket }) =>
    k === 1 || estimate === null
      ? []
      : [
          {
            id: `${kind}_${k}`,
            name: kind === 'pass_at_k' ? `pass@${k}` : `pass^${k}`,
            kind,
            score: estimate,
            isShare: true,
            better: 'higher',
            ...(bracket && { bracket }),
            samples: cases,
            parameters: { k },
          },
        ],
  )

/**
 * Every figure of a report: the pass rate, pass@k, the mutation score, and the benchmark's own measures.
 * @param directions that the benchmark has declared
 */
export function listFigures(
  { overall, statistics, mutation, measures = [] }: ReportFigures,
  directions: MeasureDirections = {},
): ReportFigure[] {
  const { rate, interval, method, bracket, scored } = overall
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
              better: 'higher' as const,
            },
            ...(method !== undefined && { method }),
            ...(bracket && { bracket }),
            samples: scored,
          },
        ]),
    ...listEstimateFigures('pass_at_k', statistics?.passAtK ?? []),
    ...listEstimateFigures('pass_all_k', statistics?.passAllK ?? []),
    ...(mutation && mutation.score !== null
      ? [
          {
            id: 'mutation_score',
            name: 'Mutation score',
            kind: 'mutation_score',
            score: mutation.score,
            isShare: true,
            better: 'higher' as const,
            ...(mutation.bracket && { bracket: mutation.bracket }),
          },
        ]
      : []),
    ...measures
      .filter(({ group, name }) => group === 'all' && name === 'all')
      .flatMap(({ policy, values, brackets = {} }) =>
        Object.entries(values).flatMap(([name, score]): ReportFigure[] => {
          const { [name]: bracket } = brackets
          const better = findMeasureDirection(directions, name) ?? 'neither'
          const figure = { id: `${policy}/${name}`, name, kind: 'measure', policy, better }
          return score === null ? [] : [{ ...figure, score, ...(bracket && { bracket }) }]
        }),
      ),
  ]
}
