/** Parquet: only one row group is in memory at a time. */
import type { JsonValue } from '@stateeval/contracts'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { getCell, type TableColumn, type ColumnType, type DataTable } from './table.ts'

/** A row group ends with the first of these. */
const maxRows = 1000
const maxCharacters = 8 * 2 ** 20

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
const types: Readonly<Record<ColumnType, Partial<SchemaElement>>> = {
  string: text,
  // JSON is stored as text: readers differ in how they treat the type JSON.
  json: text,
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

function convertValue(type: ColumnType, cell: JsonValue): unknown {
  if (cell === null) return null
  switch (type) {
    case 'json':
      return JSON.stringify(cell)
    case 'integer':
      return BigInt(cell as number)
    case 'time':
      return new Date(cell as string)
    default:
      return cell
  }
}

/** Rows that are gathered, by column. */
class RowGroup<Row> {
  readonly #columns: readonly TableColumn<Row>[]
  #values: unknown[][] = []
  #characters = 0
  constructor(columns: readonly TableColumn<Row>[]) {
    this.#columns = columns
    this.clear()
  }
  get rows(): number {
    return this.#values[0]?.length ?? 0
  }
  get isFull(): boolean {
    return this.rows >= maxRows || this.#characters >= maxCharacters
  }
  add(row: Row): void {
    for (const [at, column] of this.#columns.entries()) {
      const value = convertValue(column.type, getCell(column, row))
      this.#values[at]!.push(value)
      if (typeof value === 'string') this.#characters += value.length
    }
  }
  columnData() {
    return this.#columns.map(({ name }, at) => ({ name, data: this.#values[at]! }))
  }
  clear(): void {
    this.#values = this.#columns.map(() => [])
    this.#characters = 0
  }
}

export async function* writeParquet<Row>(
  { columns, about = {} }: DataTable<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...types[type] })),
    ],
    kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
    createdBy: 'stateeval',
  })
  // The buffer begins anew; places in the file are counted by the writer.
  const taken = () => {
    const piece = bytes.getBytes().slice()
    bytes.index = 0
    return piece
  }
  const group = new RowGroup(columns)
  for await (const row of rows) {
    group.add(row)
    if (!group.isFull) continue
    await writer.write({ columnData: group.columnData(), rowGroupSize: group.rows })
    group.clear()
    yield taken()
  }
  if (group.rows > 0) await writer.write({ columnData: group.columnData(), rowGroupSize: group.rows })
  await writer.finish()
  yield taken()
}
