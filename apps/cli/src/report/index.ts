/** The formats of a report: the explicit list. */
import type { ReportResult } from '@stateeval/contracts'
import type { Colors } from '../terminal.ts'
import { reportCsv } from './csv.ts'
import { reportHtml } from './html.ts'
import { reportJunit } from './junit.ts'
import { reportTable } from './table.ts'

export interface Report {
  result: ReportResult
  run: { cut?: number }
}

export const formats: Readonly<Record<string, (report: Report, colors: Colors) => string>> = {
  table: ({ result, run }, colors) => `${reportTable(result, colors, run.cut)}\n`,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  jsonl: ({ result }) => result.samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''),
  csv: ({ result }) => reportCsv(result),
  junit: ({ result }) => reportJunit(result),
  html: ({ result }) => reportHtml(result),
}
