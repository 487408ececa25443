/** The effect of re-scoring samples: verdicts that changed. */
import type { ReportResult } from '@stateeval/contracts'
import { type TerminalColors, formatTable } from '../terminal.ts'
import { formatPlural } from './format.ts'

/** Samples whose verdict changed in the same way. */
interface VerdictChange {
  from: string
  to: string
  /** Samples as `case#sample`, in the order of the report. */
  samples: string[]
}

const getVerdict = ({ score }: ReportResult['samples'][number]) => score?.verdict ?? 'not scored'

/** Changes in the order of their first occurrence; samples that only one report has are left out. */
export function listVerdictChanges(before: ReportResult, after: ReportResult): VerdictChange[] {
  const nameOf = ({ case: id, sample }: ReportResult['samples'][number]) => `${id}#${sample}`
  const verdicts = new Map(before.samples.map((one) => [nameOf(one), getVerdict(one)]))
  const changes = new Map<string, VerdictChange>()
  for (const one of after.samples) {
    const [from, to] = [verdicts.get(nameOf(one)), getVerdict(one)]
    if (from === undefined || from === to) continue
    const change = changes.get(`${from}/${to}`) ?? { from, to, samples: [] }
    change.samples.push(nameOf(one))
    changes.set(`${from}/${to}`, change)
  }
  return [...changes.values()]
}

const maxNames = 3

/** Returns text without a final line break. */
export function formatChanges(
  changes: readonly VerdictChange[],
  total: number,
  colors: TerminalColors,
): string {
  const count = changes.reduce((sum, { samples }) => sum + samples.length, 0)
  const heading = colors.bold(`Verdicts that changed: ${count} of ${formatPlural(total, 'sample')}`)
  if (count === 0) return heading
  const rows = changes.map(({ from, to, samples }) => [
    from,
    to,
    samples.length,
    [...samples.slice(0, maxNames), ...(samples.length > maxNames ? ['…'] : [])].join(', '),
  ])
  return `${heading}\n${formatTable(['before', 'now', 'samples', 'which'], rows)}`
}
