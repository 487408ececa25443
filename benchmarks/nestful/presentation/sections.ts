/** Sections of NESTFUL's report: measures of both policies, by part, and errors by nesting depth. */
import type { Measures, NamedCounts, ReportResult, ScoredSample } from '@stateeval/contracts'
import {
  formatDisagreements,
  formatDisagreementsTitle,
  measureText,
  type SampleColumn,
  type PresentationSection,
  splitWords,
} from '@stateeval/program/presentation'
import { errorTypes, measureNames, formatNestfulMeasure } from './names.ts'

const policies = ['published', 'sound']
const maxShown = 10

export function measureSections({
  measures = [],
  disagreements = [],
  samples,
}: ReportResult): PresentationSection[] {
  if (measures.length === 0) return []
  const all = policies.map((policy) => measures.find((one) => one.policy === policy && one.group === 'all'))
  return [
    {
      title: 'Measures',
      table: {
        head: ['NESTFUL', ...policies],
        rows: selectNamed(all).map((name) => [
          name,
          ...all.map((one) => formatMeasureWithInterval(one, name)),
        ]),
      },
    },
    ...policies.map((policy) => buildPartSection(measures, policy)),
    ...countNotRun(samples),
    ...(disagreements.length > 0
      ? [
          {
            lines: [formatDisagreementsTitle(disagreements), ...formatDisagreements(disagreements)],
            max: maxShown,
          },
        ]
      : []),
  ]
}

/** With its 95 % interval in round brackets. */
function formatMeasureWithInterval(measures: Measures | undefined, name: string): string {
  const text = measureText(measures, name, formatNestfulMeasure)
  const [low, high] = measures?.intervals?.[name] ?? []
  return low === undefined
    ? text
    : `${text} (${formatNestfulMeasure(name, low)}–${formatNestfulMeasure(name, high)})`
}

/** Why samples could not be run: they count in no rate of execution. */
function countNotRun(samples: readonly ScoredSample[]): PresentationSection[] {
  const counts = new Map<string, number>()
  for (const { score } of samples) {
    const { differences = [] } = score?.policies?.['sound'] ?? {}
    for (const { where, says } of differences)
      if (where === 'not run') counts.set(says, (counts.get(says) ?? 0) + 1)
  }
  const lines = [...counts].sort(([, a], [, b]) => b - a).map(([says, count]) => `  ${count} × ${says}`)
  return lines.length === 0 ? [] : [{ lines: ['Not run:', ...lines], max: maxShown + 1 }]
}

/** The measures that any of them has. */
const selectNamed = (columns: readonly (Measures | undefined)[]) =>
  measureNames.filter((name) => columns.some((one) => typeof one?.values[name] === 'number'))

function buildPartSection(measures: readonly Measures[], policy: string): PresentationSection {
  const parts = measures.filter(
    (one) => one.policy === policy && (one.group === 'part' || one.group === 'depth'),
  )
  return {
    table: {
      head: [
        `by part and depth, ${policy}`,
        ...parts.map(({ group, name }) => (group === 'depth' ? `depth ${name}` : name)),
      ],
      rows: selectNamed(parts).map((name) => [
        name,
        ...parts.map((one) => measureText(one, name, formatNestfulMeasure)),
      ]),
    },
  }
}

const listErrorCounts = (entry: NamedCounts) => errorTypes.map((type) => Number(entry[type] ?? 0))

/** How many samples have an error of each type, as the sound reading finds them. */
export function buildErrorSections({ errors }: ReportResult): PresentationSection[] {
  const byDepth = errors?.['byDepth'] ?? []
  const total = errorTypes.map((type) => byDepth.reduce((sum, entry) => sum + Number(entry[type] ?? 0), 0))
  if (total.every((count) => count === 0)) return []
  const occurring = errorTypes.filter((_, at) => total[at]! > 0)
  return [
    {
      title: 'Error types by nesting depth',
      table: {
        head: ['error type', 'samples', ...byDepth.map(({ name }) => name)],
        rows: occurring.map((type) => [
          splitWords(type),
          total[errorTypes.indexOf(type)]!,
          ...byDepth.map((entry) => Number(entry[type] ?? 0)),
        ]),
      },
    },
    {
      parts: {
        label: 'Error types by nesting depth',
        names: 'nesting',
        sum: 'errors',
        parts: [...errorTypes].map(splitWords),
        rows: byDepth.map((entry) => ({ name: entry.name, counts: listErrorCounts(entry) })),
      },
    },
  ]
}

/** The columns of the CSV: each policy's measures, and the types of error. */
export const sampleColumns = (): SampleColumn[] => [
  ...policies.flatMap((policy) =>
    ['partial', 'full', 'win', 'pass_mock', 'pass_live', 'not_run'].map((metric) => ({
      name: `${policy}_${metric}`,
      of: ({ score }: ScoredSample) => score?.policies?.[policy]?.metrics[metric],
    })),
  ),
  { name: 'graph_full', of: ({ score }) => score?.policies?.['sound']?.metrics['graph_full'] },
  { name: 'depth', of: ({ score }) => score?.metrics['depth'] ?? undefined },
  {
    name: 'errors',
    of: ({ score }) =>
      errorTypes.filter((type) => score?.policies?.['sound']?.metrics[`error/${type}`] === 1).join(' '),
  },
]

export const sampleDetails = ({ score }: ScoredSample): string[] =>
  (score?.policies?.['sound']?.differences ?? []).slice(0, 5).map(({ where, says }) => `${where}: ${says}`)
