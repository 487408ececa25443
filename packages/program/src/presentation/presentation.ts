/**
 * What the command line shows and offers of a kind of benchmark: help texts, files of published data, tables. Pure and
 * light: it imports nothing of the benchmark that prompts or scores, so that a command starts at once and works offline.
 */
import type { ReportResult } from '@stateeval/contracts'

/** Cells as they are shown. */
export interface ShownTable {
  head: string[]
  rows: string[][]
}
export interface TitledTable extends ShownTable {
  title: string
}
/** A part of a report: a table, or lines of text. */
export type Section = { table: ShownTable } | { lines: string[] }

/** A published table. Rows are a list in the order of the columns, or by column. */
export interface PublishedTable {
  models?: string[]
  columns?: string[]
  rows: Record<string, (number | null)[] | Record<string, number | null>>
}
/** The tables of a paper, by title. */
export interface Published {
  tables: Readonly<Record<string, PublishedTable>>
}

/** Evaluations as the tables of the kind's paper. */
export interface PaperTables {
  /** Whose judgement may be shown; the first is the default. */
  policies: readonly string[]
  /** What an evaluation's report must have to be shown; the end of a sentence where it lacks that, else null. */
  faultOf(result: ReportResult): string | null
  /** A column for each evaluation; `models` narrows the published columns to names that contain one of these. */
  tables(
    results: readonly ReportResult[],
    policy: string,
    published: Published,
    models?: readonly string[],
  ): TitledTable[]
}

/** Options whose values differ from kind to kind. */
export type KindOption = 'setup' | 'layout' | 'settings' | 'timeLimit'

export interface Presentation {
  kind: string
  /** What its sets are built from: programs of scenarios, or an OpenAPI specification. Absent: they are imported only. */
  builtFrom?: 'programs' | 'specification'
  /** Which files of a folder are its published data. */
  dataset?: { folders: readonly string[]; file: RegExp }
  /** Help on options that it has values of its own for. */
  options?: Partial<Readonly<Record<KindOption, string>>>
  /** Its parts of a report, which stand below the pass rates. */
  sections?(result: ReportResult): Section[]
  paper?: PaperTables
}
