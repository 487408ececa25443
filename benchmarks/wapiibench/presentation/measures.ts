/**
 * Measures of a benchmark that judges by several policies: side by side, by part, and where policies differ.
 */
import type { Disagreement, Measures, ReportResult } from '@stateeval/contracts'
import {
  formatDisagreements,
  formatDisagreementsTitle,
  measureText,
  type PresentationSection,
  splitWords,
} from '@stateeval/program/presentation'
import { rows, type TableSetup, formatWapiiCell } from './paper-rows.ts'

const getReportSetup = ({ options }: ReportResult): TableSetup =>
  options['setup'] === 'arguments' ? 'arguments' : 'full'
const maxShown = 10

export function measureSections(result: ReportResult): PresentationSection[] {
  const { measures, disagreements = [] } = result
  if (!measures || measures.length === 0) return []
  const policies = [...new Set(measures.map(({ policy }) => policy))]
  const { complete, short } = rows[getReportSetup(result)]
  const all = policies.map((policy) => measures.find((one) => one.policy === policy && one.group === 'all'))
  const withValues = (names: readonly string[]) =>
    names.filter((name) => all.some((one) => one?.values[name] !== undefined))
  return [
    {
      table: {
        head: [`${splitWords(getReportSetup(result))} completion`, ...policies],
        rows: withValues(complete).map((name) => [
          name,
          ...all.map((one) => measureText(one, name, formatWapiiCell)),
        ]),
      },
    },
    ...['api', 'method'].flatMap((group) =>
      listMeasureRows(group, policies[0]!, measures, withValues(short)),
    ),
    ...buildPolicyDifferences(disagreements),
  ]
}

function buildPolicyDifferences(disagreements: readonly Disagreement[]): PresentationSection[] {
  if (disagreements.length === 0) return []
  const lines = formatDisagreements(disagreements.slice(0, maxShown))
  const more =
    disagreements.length > maxShown
      ? [`  … and ${disagreements.length - maxShown} more; --format json has them all`]
      : []
  return [{ lines: [formatDisagreementsTitle(disagreements), ...lines, ...more] }]
}

function listMeasureRows(
  group: string,
  policy: string,
  measures: readonly Measures[],
  names: readonly string[],
): PresentationSection[] {
  const parts = measures.filter((one) => one.policy === policy && one.group === group)
  if (parts.length === 0) return []
  return [
    {
      table: {
        head: [`by ${group}, ${policy}`, ...parts.map(({ name }) => name)],
        rows: ['Samples', ...names].map((row) => [
          row,
          ...parts.map((one) => measureText(one, row, formatWapiiCell)),
        ]),
      },
    },
  ]
}
