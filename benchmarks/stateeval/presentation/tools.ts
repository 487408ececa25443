/** How far dialogues with tools came, beside whether they passed: in a report, and in a comparison. */
import type { ComparisonResource, Measures, ReportResult } from '@stateeval/contracts'
import { formatShare, type PresentationSection } from '@stateeval/program/presentation'

const shares = ['State changes made', 'RESULT keys right', 'Milestones reached']

function formatToolMeasure(name: string, value: number | null | undefined): string | number {
  if (value === null || value === undefined) return '–'
  if (shares.includes(name)) return formatShare(value)
  return Number.isInteger(value) ? value : value.toFixed(2)
}

/** A row for each measure, a column for each part. */
function buildMeasureTable(
  head: string,
  parts: readonly { name: string; values: Measures['values'] }[],
): PresentationSection {
  const names = [...new Set(parts.flatMap(({ values }) => Object.keys(values)))]
  return {
    title: head,
    table: {
      head: [head.toLowerCase(), ...parts.map(({ name }) => name)],
      rows: names.map((name) => [name, ...parts.map(({ values }) => formatToolMeasure(name, values[name]))]),
    },
  }
}

/** Nothing where programs were written. */
export const buildToolSections = ({ measures = [] }: ReportResult): PresentationSection[] =>
  measures.length === 0 ? [] : [buildMeasureTable('Tool calling', measures)]

/** Evaluations of programs have no such measures. */
export function compareTools({ evaluations }: ComparisonResource): PresentationSection[] {
  const parts = evaluations.flatMap(({ name, measures }) => (measures ? [{ name, values: measures }] : []))
  return parts.length === 0 ? [] : [buildMeasureTable('Tool calling', parts)]
}
