/** The formats of a report: the explicit list. */
import { presentations } from '@stateeval/benchmarks/presentations'
import type { ReportResult } from '@stateeval/contracts'
import type { Colors } from '../terminal.ts'
import { reportCsv } from './csv.ts'
import { reportHtml } from './html.ts'
import { reportJunit } from './junit.ts'
import { reportTable } from './table.ts'

interface Report {
  result: ReportResult
  run: { cut?: number; kind?: string }
}

/** What the kind of the benchmark adds. */
const sectionsOf = ({ result, run: { kind } }: Report) =>
  presentations.find((one) => one.kind === kind)?.sections?.(result) ?? []

export const formats: Readonly<Record<string, (report: Report, colors: Colors) => string>> = {
  table: (report, colors) => `${reportTable(report.result, colors, report.run.cut, sectionsOf(report))}\n`,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  jsonl: ({ result }) => result.samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''),
  csv: ({ result }) => reportCsv(result),
  junit: ({ result }) => reportJunit(result),
  html: (report) => reportHtml(report.result, sectionsOf(report)),
}
