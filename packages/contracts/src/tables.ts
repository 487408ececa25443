/** Tables that come as a stream, and the forms in which they come. */
import Type, { type Static } from 'typebox'

/** Each form's content type; the first is that of whoever names none. */
export const tableTypes = {
  jsonl: 'application/jsonl',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
} as const
export type TableFormat = keyof typeof tableTypes

export const tableFormats = Object.keys(tableTypes) as TableFormat[]

export const TableFormat = Type.Union([Type.Literal('jsonl'), Type.Literal('csv'), Type.Literal('parquet')], {
  description: 'The form of the table. Default: by the Accept header',
})

/** What every export takes. */
export const TableQuery = Type.Object({ format: Type.Optional(TableFormat) }, { additionalProperties: false })
export type TableQuery = Static<typeof TableQuery>
