/** Streamed tables and their formats. */
import Type, { type Static } from 'typebox'

/** The content type of each format; the first is the default. */
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

/** The query of every export. */
export const TableQuery = Type.Object({ format: Type.Optional(TableFormat) }, { additionalProperties: false })
export type TableQuery = Static<typeof TableQuery>
