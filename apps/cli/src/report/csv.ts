/** A report as CSV (RFC 4180): one line per sample. */
import type { ReportResult } from '@stateeval/contracts'
import type { ReportPresentation } from '@stateeval/program/presentation'

/** Quotes a cell if needed. A leading =, +, -, @ would be a formula in a spreadsheet. */
export function quoteCsvCell(value: string | number | boolean | null | undefined): string {
  const plain = value === null || value === undefined ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** `presentation` belongs to the benchmark's kind, which adds columns. */
export function formatReportCsv(
  result: ReportResult,
  presentation: Pick<ReportPresentation, 'columns'> = {},
): string {
  const columns = presentation.columns?.(result) ?? []
  const metrics = [...new Set(result.samples.flatMap(({ score }) => Object.keys(score?.metrics ?? {})))]
    // A metric that the kind shows in its own column would appear twice.
    .filter((name) => columns.every((column) => column.name !== name))
    .sort()
  const head = [
    'case',
    'sample',
    'verdict',
    'passed',
    'not_scored',
    ...columns.map(({ name }) => name),
    'error',
    'attempts',
    'explanation',
    ...metrics,
  ]
  const rows = result.samples.map((one) => {
    const { case: id, sample, score, notScored } = one
    return [
      id,
      sample,
      score?.verdict,
      score?.passed,
      notScored,
      ...columns.map(({ of }) => of(one)),
      score?.evidence.error?.name,
      score ? (score.attempts?.length ?? 1) : undefined,
      score?.evidence.error?.message ?? score?.evidence.differences[0]?.says,
      ...metrics.map((name) => score?.metrics[name]),
    ]
  })
  return [head, ...rows].map((row) => `${row.map(quoteCsvCell).join(',')}\r\n`).join('')
}
