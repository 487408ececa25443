/**
 * The parts of a report on published cases: what each policy says, where they differ, and which cases their
 * own reference fails.
 */
import type { Disagreement, ReportResult } from '@stateeval/contracts'
import {
  measureText,
  formatShare,
  type PresentationSection,
  splitWords,
} from '@stateeval/program/presentation'

const maxShown = 20

/** Names of ratios end in (r). */
const formatPublishedCell = (name: string, value: number | null | undefined) =>
  value === null || value === undefined ? '–' : name.endsWith('(r)') ? formatShare(value) : String(value)
const removeRatioMark = (name: string) => name.replace(/ \(r\)$/, '')

export const buildPublishedSections = (result: ReportResult): PresentationSection[] => [
  ...buildPolicySections(result),
  ...buildDifferingLines(result),
  ...buildLeftOutSection(result),
]

function buildPolicySections({ measures = [] }: ReportResult): PresentationSection[] {
  const policies = [...new Set(measures.map(({ policy }) => policy))]
  const parts = [...new Set(measures.map(({ group, name }) => `${group}\n${name}`))]
  return parts.flatMap((part): PresentationSection[] => {
    const [group, name] = part.split('\n')
    const columns = policies.map((policy) =>
      measures.find((one) => one.policy === policy && one.group === group && one.name === name),
    )
    const rows = Object.keys(columns[0]?.values ?? {})
    if (rows.length === 0) return []
    return [
      {
        ...(group === 'all' && { title: 'By policy' }),
        table: {
          head: [group === 'all' ? 'all cases' : name!, ...policies],
          rows: rows.map((row) => [
            removeRatioMark(row),
            ...columns.map((one) => measureText(one, row, formatPublishedCell)),
          ]),
        },
      },
    ]
  })
}

/** Length of a reason, in a cell. */
const longest = 90
const shortenText = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/**
 * Each sample about which the policies differ, those first that pass under one alone: they show a weakness of
 * a published truth.
 */
function buildDifferingLines({ disagreements = [], measures = [] }: ReportResult): PresentationSection[] {
  if (disagreements.length === 0) return []
  const policies = [...new Set(measures.map(({ policy }) => policy))]
  const passes = ({ verdicts }: Disagreement) => Object.values(verdicts).includes('passed')
  const ordered = [...disagreements.filter(passes), ...disagreements.filter((one) => !passes(one))]
  return [
    {
      title: 'Where the policies differ',
      table: {
        head: ['policies differ about', 'sample', ...policies, 'why'],
        rows: ordered.map(({ case: id, sample, verdicts, why }) => [
          id,
          sample,
          ...policies.map((policy) => splitWords(verdicts[policy] ?? '–')),
          policies
            .flatMap((policy) => why.find((says) => says.startsWith(`${policy}: `)) ?? [])
            .map(shortenText)
            .join('; '),
        ]),
      },
      max: maxShown,
    },
  ]
}

function buildLeftOutSection({ samples }: ReportResult): PresentationSection[] {
  const cases = new Map(
    samples.flatMap(({ case: id, score, notScored }) =>
      score === null && notScored ? [[id, notScored] as const] : [],
    ),
  )
  if (cases.size === 0) return []
  return [
    {
      title: 'Not scored',
      lines: [`Not scored: ${cases.size} of the cases`, ...[...cases].map(([id, why]) => `  ${id}: ${why}`)],
      max: maxShown,
    },
  ]
}
