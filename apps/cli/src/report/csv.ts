/** A report as CSV (RFC 4180): a line a sample. */
import type { ReportResult } from '@stateeval/contracts'

/** Quotes what needs it; a leading =, +, -, @ would be a formula in a spreadsheet. */
export function cell(value: string | number | boolean | null | undefined): string {
  const plain = value === null || value === undefined ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function reportCsv(result: ReportResult): string {
  const metrics = [
    ...new Set(result.samples.flatMap(({ score }) => Object.keys(score?.metrics ?? {}))),
  ].sort()
  const opinions = result.secondOpinion !== undefined
  const head = [
    'case',
    'sample',
    'verdict',
    'passed',
    'not_scored',
    'root_cause',
    'root_cause_kind',
    'api',
    'argument',
    'error',
    'attempts',
    'explanation',
    ...(opinions ? ['second_opinion'] : []),
    ...metrics,
  ]
  const rows = result.samples.map(({ case: id, sample, score, notScored, secondOpinion }) => [
    id,
    sample,
    score?.verdict,
    score?.passed,
    notScored,
    score?.evidence.rootCause?.cause,
    score?.evidence.rootCause?.kind,
    score?.evidence.rootCause?.api,
    score?.evidence.rootCause?.argument,
    score?.evidence.error?.name,
    score ? (score.attempts?.length ?? 1) : undefined,
    score?.evidence.error?.message ?? score?.evidence.differences[0]?.says,
    ...(opinions ? [secondOpinion && 'cause' in secondOpinion ? secondOpinion.cause : undefined] : []),
    ...metrics.map((name) => score?.metrics[name]),
  ])
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
