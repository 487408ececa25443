/** Rows as JSON lines, CSV and Parquet, streamed row by row, for tables of any length. */
import type { TableFormat } from '@stateeval/contracts'
import { writeCsv } from './csv.ts'
import { writeJsonl } from './jsonl.ts'
import { writeParquet } from './parquet.ts'
import type { DataTable } from './table.ts'

export { type TableColumn, type DataTable } from './table.ts'

type TableWriter = <Row>(
  table: DataTable<Row>,
  rows: AsyncIterable<Row>,
) => AsyncGenerator<string | Uint8Array>

/** The explicit list: a new format is a file here and a line below. */
const formats: Readonly<Record<TableFormat, TableWriter>> = {
  jsonl: writeJsonl,
  csv: writeCsv,
  parquet: writeParquet,
}

/** The bytes of a table in pieces. The same rows give the same bytes. */
export const writeTable = <Row>(
  format: TableFormat,
  table: DataTable<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string | Uint8Array> => formats[format](table, rows)
