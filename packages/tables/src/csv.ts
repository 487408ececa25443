/** CSV (RFC 4180) with a heading. */
import type { JsonValue } from '@stateeval/contracts'
import { cellOf, type Column, type Table } from './table.ts'

/** Quotes what needs it; a leading =, +, -, @ would be a formula in a spreadsheet. */
function written(cell: JsonValue): string {
  const plain = cell === null ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell)
  const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const textOf = <Row>(column: Column<Row>, row: Row): string => {
  const cell = cellOf(column, row)
  return written(column.type === 'json' && cell !== null ? JSON.stringify(cell) : cell)
}

export async function* csv<Row>({ columns }: Table<Row>, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield `${columns.map(({ name }) => written(name)).join(',')}\r\n`
  for await (const row of rows) yield `${columns.map((column) => textOf(column, row)).join(',')}\r\n`
}
