/** Tables of texts in several formats: for a terminal of some width, CSV, Markdown, HTML. */
import { stripVTControlCharacters } from 'node:util'
import type { ShownTable, TitledTable } from '@stateeval/program/presentation'
import { formatTable } from '../terminal.ts'
import { quoteCsvCell } from './csv.ts'
import { escapeXml } from './junit.ts'

const measureWidth = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.length),
  )

/**
 * A table that fits a width: one that is wider is cut into blocks of columns, each with the first column
 * before it. A single column stays in one piece.
 */
function fitTable({ head, rows }: ShownTable, width: number): string {
  const whole = formatTable(head, rows)
  if (measureWidth(whole) <= width || head.length <= 2) return whole
  const blocks: string[] = []
  const pick = (columns: readonly number[]) => {
    const of = (row: readonly string[]) => [row[0] ?? '', ...columns.map((at) => row[at] ?? '')]
    return formatTable(of(head), rows.map(of))
  }
  let columns: number[] = []
  for (let at = 1; at < head.length; at++) {
    if (columns.length > 0 && measureWidth(pick([...columns, at])) > width) {
      blocks.push(pick(columns))
      columns = []
    }
    columns.push(at)
  }
  blocks.push(pick(columns))
  return blocks.join('\n\n')
}

const formatCsvTables = (all: readonly TitledTable[]) =>
  all
    .map(({ title, head, rows }) =>
      [[title], head, ...rows].map((row) => `${row.map(quoteCsvCell).join(',')}\r\n`).join(''),
    )
    .join('\r\n')
    .replace(/\r\n$/, '')

const escapeTableCell = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;')
const formatMarkdownRow = (cells: readonly string[]) => `| ${cells.map(escapeTableCell).join(' | ')} |`
const formatMarkdownTables = (all: readonly TitledTable[]) =>
  all
    .map(({ title, head, rows }) =>
      [
        `### ${escapeTableCell(title)}`,
        '',
        formatMarkdownRow(head),
        `| --- |${' ---: |'.repeat(head.length - 1)}`,
        ...rows.map(formatMarkdownRow),
      ].join('\n'),
    )
    .join('\n\n')

const style =
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2733}table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .6rem;border-bottom:1px solid #dde3ea;text-align:right}td:first-child,th:first-child{text-align:left}'
const formatHtmlRow = (tag: 'td' | 'th', cells: readonly string[]) =>
  `<tr>${cells.map((text) => `<${tag}>${escapeXml(text)}</${tag}>`).join('')}</tr>`
const formatHtmlTables = (all: readonly TitledTable[]) =>
  [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tables</title><style>${style}</style>`,
    ...all.map(
      ({ title, head, rows }) =>
        `<h2>${escapeXml(title)}</h2><table>${formatHtmlRow('th', head)}${rows.map((one) => formatHtmlRow('td', one)).join('')}</table>`,
    ),
    '</html>',
  ].join('\n')

export const tableForms: Readonly<Record<string, (all: readonly TitledTable[], width: number) => string>> = {
  table: (all, width) => all.map((one) => `${one.title}\n${fitTable(one, width)}`).join('\n\n'),
  csv: formatCsvTables,
  markdown: formatMarkdownTables,
  html: formatHtmlTables,
}

interface TableChoice {
  /** Columns to keep, by a part of their head; all without it. */
  columns?: readonly string[]
  /** Rows to keep, in the same way. */
  rows?: readonly string[]
}

const isWanted = (names: readonly string[] | undefined, name: string) =>
  names === undefined || names.some((one) => name.toLowerCase().includes(one.toLowerCase()))

/** The tables with the selected columns and rows, without tables that would be empty. */
export function choose(all: readonly TitledTable[], { columns, rows }: TableChoice): TitledTable[] {
  return all.flatMap((one) => {
    const indices = one.head.flatMap((name, at) => (at === 0 || isWanted(columns, name) ? [at] : []))
    const selection = one.rows.filter(([name = '']) => isWanted(rows, name))
    if (indices.length < 2 || selection.length === 0) return []
    const of = (cells: readonly string[]) => indices.map((at) => cells[at] ?? '')
    return [{ title: one.title, head: of(one.head), rows: selection.map(of) }]
  })
}
