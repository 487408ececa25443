/** JSON lines: one object per row, with one member per column. */
import { getCell, type DataTable } from './table.ts'

export async function* writeJsonl<Row>(
  { columns }: DataTable<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  for await (const row of rows)
    yield `${JSON.stringify(Object.fromEntries(columns.map((one) => [one.name, getCell(one, row)])))}\n`
}
