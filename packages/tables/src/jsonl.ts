/** JSON lines: one object per row, with one member per column. */
import { cellOf, type Table } from './table.ts'

export async function* jsonl<Row>({ columns }: Table<Row>, rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows)
    yield `${JSON.stringify(Object.fromEntries(columns.map((one) => [one.name, cellOf(one, row)])))}\n`
}
