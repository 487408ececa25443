/** The explicit list of report formats that the command line produces. The service produces the page. */
import type { ReportResult, ReportRun } from '@stateeval/contracts'
import type { Presentation } from '@stateeval/program/presentation'
import { presentationOf } from '../suite/kinds.ts'
import type { Colors } from '../terminal.ts'
import { reportCsv } from './csv.ts'
import { reportJunit } from './junit.ts'
import { reportTable } from './table.ts'

interface Report {
  result: ReportResult
  run: Partial<Pick<ReportRun, 'cut' | 'kind' | 'parties' | 'canaries' | 'probe' | 'endings'>>
}

/** Finds what the benchmark's kind adds. */
const shownOf = ({ run: { kind } }: Report): Partial<Presentation> =>
  (kind === undefined ? undefined : presentationOf(kind)) ?? {}

export const formats: Readonly<Record<string, (report: Report, colors: Colors) => string>> = {
  table: (report, colors) => `${reportTable(report.result, colors, report.run, shownOf(report))}\n`,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  jsonl: ({ result }) => result.samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''),
  csv: (report) => reportCsv(report.result, shownOf(report)),
  junit: ({ result }) => reportJunit(result),
}
