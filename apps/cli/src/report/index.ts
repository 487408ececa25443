/** The explicit list of report formats that the command line produces. The service produces the page. */
import type { ReportResult, ReportRun } from '@stateeval/contracts'
import type { ReportPresentation } from '@stateeval/program/presentation'
import { findPresentation } from '../suite/kinds.ts'
import type { TerminalColors } from '../terminal.ts'
import { formatReportCsv } from './csv.ts'
import { formatReportJunit } from './junit.ts'
import { formatReport } from './table.ts'

interface PrintedReport {
  result: ReportResult
  run: Partial<Pick<ReportRun, 'cut' | 'kind' | 'parties' | 'canaries' | 'probe' | 'endings'>>
}

/** Finds what the benchmark's kind adds. */
const findReportPresentation = ({ run: { kind } }: PrintedReport): Partial<ReportPresentation> =>
  (kind === undefined ? undefined : findPresentation(kind)) ?? {}

export const formats: Readonly<Record<string, (report: PrintedReport, colors: TerminalColors) => string>> = {
  table: (report, colors) =>
    `${formatReport(report.result, colors, report.run, findReportPresentation(report))}\n`,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  jsonl: ({ result }) => result.samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''),
  csv: (report) => formatReportCsv(report.result, findReportPresentation(report)),
  junit: ({ result }) => formatReportJunit(result),
}
