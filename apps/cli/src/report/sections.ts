/** What a benchmark shows of a report, for a terminal and in HTML. */
import type { Section, ShownParts } from '@stateeval/program/presentation'
import { table } from '../terminal.ts'
import { xml } from './junit.ts'
import { stackedBars } from './plots.ts'

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
const partsTable = ({ names, sum, parts, rows }: ShownParts) =>
  table(
    [names, sum, ...parts],
    rows.map(({ name, counts }) => [name, sumOf(counts), ...counts]),
  )

/** Rows or lines beyond `max` are counted. */
export function sectionText(section: Section): string {
  if ('parts' in section) return partsTable(section.parts)
  const { max = Infinity } = section
  const more = (all: number) => (all > max ? [`  … and ${all - max} more; --format json has them all`] : [])
  if ('table' in section) {
    const { head, rows } = section.table
    return [table(head, rows.slice(0, max)), ...more(rows.length)].join('\n')
  }
  const [first = '', ...others] = section.lines
  return [first, ...others.slice(0, max), ...more(others.length)].join('\n')
}

const cellHtml = (cell: string | number) =>
  typeof cell === 'number' ? `<td class="n">${cell}</td>` : `<td>${xml(cell)}</td>`

function bodyOf(section: Section): string {
  if ('parts' in section) {
    const { label, parts, rows } = section.parts
    return stackedBars(label, parts, rows)
  }
  if ('table' in section) {
    const { head, rows } = section.table
    const heads = head.map((text) => `<th>${xml(text)}</th>`)
    const body = rows.map((cells) => `<tr>${cells.map(cellHtml).join('')}</tr>`)
    return `<table><tr>${heads.join('')}</tr>${body.join('')}</table>`
  }
  const [first = '', ...others] = section.lines
  return `<p>${xml(first)}</p>${others.length > 0 ? `<pre>${xml(others.join('\n'))}</pre>` : ''}`
}

export const sectionHtml = (section: Section) =>
  `${section.title === undefined ? '' : `<h2>${xml(section.title)}</h2>`}${bodyOf(section)}`
