import { expect, test } from '@jest/globals'
import { tableFormats } from '@stateeval/contracts'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { type DataTable, writeTable } from '../src/index.ts'

interface Row {
  id: string
  n: number | null
  at: string
  tags: string[]
}
const table: DataTable<Row> = {
  columns: [
    { name: 'id', type: 'string', of: ({ id }) => id },
    { name: 'n', type: 'integer', of: ({ n }) => n },
    { name: 'half', type: 'number', of: ({ n }) => n && n / 2 },
    { name: 'odd', type: 'boolean', of: ({ n }) => (n === null ? undefined : n % 2 === 1) },
    { name: 'at', type: 'time', of: ({ at }) => at },
    { name: 'tags', type: 'json', of: ({ tags }) => tags },
  ],
  about: { digest: 'abc' },
}
const at = '2026-11-24T12:00:00.123Z'
const rows: Row[] = [
  { id: '=SUM(A1)', n: 3, at, tags: ['a"b', 'c,d'] },
  { id: 'ü\r\n🙂', n: null, at, tags: [] },
]
async function* from<T>(list: Iterable<T>) {
  yield* list
}
async function written(format: 'jsonl' | 'csv' | 'parquet', list: Iterable<Row>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of writeTable(format, table, from(list))) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
const file = (bytes: Buffer) => new Uint8Array(bytes).buffer

test('the same rows in each form', async () => {
  const lines = String(await written('jsonl', rows))
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    { id: '=SUM(A1)', n: 3, half: 1.5, odd: true, at, tags: ['a"b', 'c,d'] },
    { id: 'ü\r\n🙂', n: null, half: null, odd: null, at, tags: [] },
  ])
  expect(String(await written('csv', rows))).toBe(
    `id,n,half,odd,at,tags\r\n'=SUM(A1),3,1.5,true,${at},"[""a\\""b"",""c,d""]"\r\n"ü\r\n🙂",,,,${at},[]\r\n`,
  )
  const bytes = await written('parquet', rows)
  expect(await parquetReadObjects({ file: file(bytes) })).toEqual([
    { id: '=SUM(A1)', n: 3n, half: 1.5, odd: true, at: new Date(at), tags: '["a\\"b","c,d"]' },
    { id: 'ü\r\n🙂', n: null, half: null, odd: null, at: new Date(at), tags: '[]' },
  ])
  expect(parquetMetadata(file(bytes)).key_value_metadata).toEqual([{ key: 'digest', value: 'abc' }])
  expect((await written('parquet', rows)).equals(bytes)).toBe(true)
})

test.each(tableFormats)('%s: a table without rows has its columns', async (format) => {
  const bytes = await written(format, [])
  if (format === 'csv') expect(String(bytes)).toBe('id,n,half,odd,at,tags\r\n')
  if (format === 'parquet')
    expect(parquetMetadata(file(bytes)).schema.map(({ name }) => name)).toEqual([
      'root',
      ...table.columns.map(({ name }) => name),
    ])
})

test.each(tableFormats)(
  '%s: rows are taken as they are written, no more than a group at a time',
  async (format) => {
    const total = 5_000
    let taken = 0
    function* many() {
      for (; taken < total; taken++) yield { id: `${taken}`, n: taken, at, tags: [] }
    }
    const ahead: number[] = []
    const pieces: Buffer[] = []
    for await (const piece of writeTable(format, table, from(many()))) {
      ahead.push(taken)
      pieces.push(Buffer.from(piece))
    }
    expect(Math.max(...ahead.map((now, n) => now - (ahead[n - 1] ?? 0)))).toBeLessThanOrEqual(1_000)
    if (format !== 'parquet') return
    const read = await parquetReadObjects({ file: file(Buffer.concat(pieces)) })
    expect(read.map(({ n }) => Number(n))).toEqual(Array.from({ length: total }, (_, n) => n))
  },
)
