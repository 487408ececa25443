/** Rows as JSON lines, CSV and Parquet, streamed row by row, for tables of any length. */
import type { TableFormat } from '@stateeval/contracts'
import { csv } from './csv.ts'
import { jsonl } from './jsonl.ts'
import { parquet } from './parquet.ts'
import type { Table } from './table.ts'

export { type Column, type Table } from './table.ts'

type Write = <Row>(table: Table<Row>, rows: AsyncIterable<Row>) => AsyncGenerator<string | Uint8Array>

/** The explicit list: a new format is a file here and a line below. */
const formats: Readonly<Record<TableFormat, Write>> = { jsonl, csv, parquet }

/** The bytes of a table in pieces. The same rows give the same bytes. */
export const writeTable = <Row>(
  format: TableFormat,
  table: Table<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string | Uint8Array> => formats[format](table, rows)
