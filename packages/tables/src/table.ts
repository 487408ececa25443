/** A table: its columns in order, with the value of each in a row. */
import type { JsonValue } from '@stateeval/contracts'

/** `json`: any value; text in CSV and Parquet. `time`: ISO 8601. */
export type ColumnType = 'string' | 'integer' | 'number' | 'boolean' | 'time' | 'json'

export interface TableColumn<Row> {
  name: string
  type: ColumnType
  /** undefined and null are a cell without a value. */
  of: (row: Row) => JsonValue | undefined
}

export interface DataTable<Row> {
  columns: readonly TableColumn<Row>[]
  /** Metadata of a Parquet file. */
  about?: Readonly<Record<string, string>>
}

/** The cell of a row; null without a value. */
export const getCell = <Row>({ of }: TableColumn<Row>, row: Row): JsonValue => of(row) ?? null
