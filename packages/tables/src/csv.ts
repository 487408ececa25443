/** CSV (RFC 4180) with a heading. */
import type { JsonValue } from '@stateeval/contracts'
import { getCell, type TableColumn, type DataTable } from './table.ts'

/** Quotes what needs it; a leading =, +, -, @ would be a formula in a spreadsheet. */
function quoteCell(cell: JsonValue): string {
  const plain = cell === null ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell)
  const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const formatCell = <Row>(column: TableColumn<Row>, row: Row): string => {
  const cell = getCell(column, row)
  return quoteCell(column.type === 'json' && cell !== null ? JSON.stringify(cell) : cell)
}

export async function* writeCsv<Row>(
  { columns }: DataTable<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  yield `${columns.map(({ name }) => quoteCell(name)).join(',')}\r\n`
  for await (const row of rows) yield `${columns.map((column) => formatCell(column, row)).join(',')}\r\n`
}
