/** Tables of texts in several formats: for a terminal of some width, CSV, Markdown, HTML. */
import { stripVTControlCharacters } from 'node:util'
import type { ShownTable, TitledTable } from '@stateeval/program/presentation'
import { table } from '../terminal.ts'
import { cell } from './csv.ts'
import { xml } from './junit.ts'

const widthOf = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.length),
  )

/**
 * A table that fits a width: one that is wider is cut into blocks of columns, each with the first column
 * before it. A single column stays in one piece.
 */
function fitting({ head, rows }: ShownTable, width: number): string {
  const whole = table(head, rows)
  if (widthOf(whole) <= width || head.length <= 2) return whole
  const blocks: string[] = []
  const pick = (columns: readonly number[]) => {
    const of = (row: readonly string[]) => [row[0] ?? '', ...columns.map((at) => row[at] ?? '')]
    return table(of(head), rows.map(of))
  }
  let columns: number[] = []
  for (let at = 1; at < head.length; at++) {
    if (columns.length > 0 && widthOf(pick([...columns, at])) > width) {
      blocks.push(pick(columns))
      columns = []
    }
    columns.push(at)
  }
  blocks.push(pick(columns))
  return blocks.join('\n\n')
}

const csv = (all: readonly TitledTable[]) =>
  all
    .map(({ title, head, rows }) =>
      [[title], head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join(''),
    )
    .join('\r\n')
    .replace(/\r\n$/, '')

const inMarkdown = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;')
const line = (cells: readonly string[]) => `| ${cells.map(inMarkdown).join(' | ')} |`
const markdown = (all: readonly TitledTable[]) =>
  all
    .map(({ title, head, rows }) =>
      [
        `### ${inMarkdown(title)}`,
        '',
        line(head),
        `| --- |${' ---: |'.repeat(head.length - 1)}`,
        ...rows.map(line),
      ].join('\n'),
    )
    .join('\n\n')

const style =
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2733}table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .6rem;border-bottom:1px solid #dde3ea;text-align:right}td:first-child,th:first-child{text-align:left}'
const row = (tag: 'td' | 'th', cells: readonly string[]) =>
  `<tr>${cells.map((text) => `<${tag}>${xml(text)}</${tag}>`).join('')}</tr>`
const html = (all: readonly TitledTable[]) =>
  [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tables</title><style>${style}</style>`,
    ...all.map(
      ({ title, head, rows }) =>
        `<h2>${xml(title)}</h2><table>${row('th', head)}${rows.map((one) => row('td', one)).join('')}</table>`,
    ),
    '</html>',
  ].join('\n')

export const tableForms: Readonly<Record<string, (all: readonly TitledTable[], width: number) => string>> = {
  table: (all, width) => all.map((one) => `${one.title}\n${fitting(one, width)}`).join('\n\n'),
  csv,
  markdown,
  html,
}

interface Choice {
  /** Columns to keep, by a part of their head; all without it. */
  columns?: readonly string[]
  /** Rows to keep, in the same way. */
  rows?: readonly string[]
}

const isWanted = (names: readonly string[] | undefined, name: string) =>
  names === undefined || names.some((one) => name.toLowerCase().includes(one.toLowerCase()))

/** The tables with the selected columns and rows, without tables that would be empty. */
export function choose(all: readonly TitledTable[], { columns, rows }: Choice): TitledTable[] {
  return all.flatMap((one) => {
    const indices = one.head.flatMap((name, at) => (at === 0 || isWanted(columns, name) ? [at] : []))
    const selection = one.rows.filter(([name = '']) => isWanted(rows, name))
    if (indices.length < 2 || selection.length === 0) return []
    const of = (cells: readonly string[]) => indices.map((at) => cells[at] ?? '')
    return [{ title: one.title, head: of(one.head), rows: selection.map(of) }]
  })
}
