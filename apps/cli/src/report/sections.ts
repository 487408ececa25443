/** A benchmark's sections of a report, for a terminal. */
import type { PresentationSection, ShownParts } from '@stateeval/program/presentation'
import { formatTable } from '../terminal.ts'

const sumCounts = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
const formatPartsTable = ({ names, sum, parts, rows }: ShownParts) =>
  formatTable(
    [names, sum, ...parts],
    rows.map(({ name, counts }) => [name, sumCounts(counts), ...counts]),
  )

/** Shows at most `max` rows or lines, and counts the rest. */
export function formatSection(section: PresentationSection): string {
  if ('parts' in section) return formatPartsTable(section.parts)
  const { max = Infinity } = section
  const more = (all: number) => (all > max ? [`  … and ${all - max} more; --format json has them all`] : [])
  if ('table' in section) {
    const { head, rows } = section.table
    return [formatTable(head, rows.slice(0, max)), ...more(rows.length)].join('\n')
  }
  const [first = '', ...others] = section.lines
  return [first, ...others.slice(0, max), ...more(others.length)].join('\n')
}
