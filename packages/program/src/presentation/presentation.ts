/**
 * A kind of benchmark in the command line: help texts, files of published data, tables. Pure and light: it
 * imports nothing that prompts or scores, so that a command starts quickly and works offline.
 */
import type { ComparisonResource, ExecutionInput, ReportResult, ScoredSample } from '@stateeval/contracts'
import type { PaperPlot, PaperReproduction } from './reproduction.ts'

/** Cells as displayed. */
export interface ShownTable<Cell = string> {
  head: string[]
  rows: Cell[][]
}
export interface TitledTable extends ShownTable {
  title: string
}
/** Counts as parts of a sum: a table in a terminal, stacked bars in HTML. */
export interface ShownParts {
  /** Label of the quantity that the bars show. */
  label: string
  /** The heads of the names and of the sums. */
  names: string
  sum: string
  parts: string[]
  /** `counts` in the order of `parts`. */
  rows: { name: string; counts: number[] }[]
}
/**
 * A section of a report: a table, counts in parts, or lines of text, of which the first introduces the
 * others.
 */
export type PresentationSection = (
  | { table: ShownTable<string | number> }
  | { parts: ShownParts }
  | { lines: string[] }
) & {
  /** Heads it in HTML. A section without a title belongs to the one before. */
  title?: string
  /** How many rows, or lines after the first, a terminal shows; HTML shows all. */
  max?: number
}

/** A column of the table of samples. */
export interface SampleColumn {
  name: string
  of: (sample: ScoredSample) => string | number | undefined
}

/** A published table. Rows are lists in the order of the columns, or objects by column. */
export interface PublishedTable {
  models?: string[]
  columns?: string[]
  rows: Record<string, (number | null)[] | Record<string, number | null>>
}
/** The tables of a paper, by title. */
export interface PublishedTables {
  tables: Readonly<Record<string, PublishedTable>>
}

/** Evaluations as the tables of the benchmark's paper. */
export interface PaperTables {
  /** Policies whose judgement can be shown; the first is the default. */
  policies: readonly string[]
  /** Explains what the report lacks to be shown, as the end of a sentence; null where it lacks nothing. */
  faultOf(result: ReportResult): string | null
  /**
   * A column for each evaluation; `models` narrows the published columns to names that contain one of these.
   */
  tables(
    results: readonly ReportResult[],
    policy: string,
    published: PublishedTables,
    models?: readonly string[],
  ): TitledTable[]
  /** The paper's figures of the same evaluations. Absent: it has none. */
  plots?(results: readonly ReportResult[], policy: string, published: PublishedTables): PaperPlot[]
}

/** Options whose values depend on the kind. */
export type KindOption = 'setup' | 'layout' | 'settings' | 'timeLimit' | 'limits'

/**
 * The files of a folder with published data: those in these subfolders by name, or all down to a depth by
 * path.
 */
export type PublishedFiles = {
  /** The name of the import, where that is not the kind. */
  name?: string
  file: RegExp
  /**
   * Files of another folder, which an option of the import names: sent together as one file, a JSON object of
   * texts by name.
   */
  packed?: { option: string; help: string; file: RegExp; as: string }
} & ({ folders: readonly string[] } | { depth: number })

export interface ReportPresentation {
  kind: string
  /**
   * The source of its sets: programs of scenarios, an OpenAPI specification, or a seed alone. Absent:
   * they are imported only.
   */
  builtFrom?: 'programs' | 'specification' | 'seed'
  /** The run in which a program shows its requests, where they can be held against a specification. */
  conformance?: { world: string; input: ExecutionInput }
  dataset?: PublishedFiles
  /** Help on options for which it has its own values. */
  options?: Partial<Readonly<Record<KindOption, string>>>
  /** Its parts of a report, which stand below the pass rates. */
  sections?(result: ReportResult): PresentationSection[]
  /** Sections of failures, below the verdicts. */
  failureSections?(result: ReportResult): PresentationSection[]
  /** Its columns of the table of samples (CSV). */
  columns?(result: ReportResult): SampleColumn[]
  /** Lines about a failed sample, besides what differed. */
  details?(sample: ScoredSample): string[]
  /** Its parts of a comparison, at the end. */
  comparisonSections?(comparison: ComparisonResource): PresentationSection[]
  paper?: PaperTables
  /** How the command `paper` makes the tables and figures of its paper anew. */
  reproduction?: PaperReproduction
}
