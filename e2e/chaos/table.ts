/** What happened, as a table. */
import { type FaultKind, faultKinds } from './plan.ts'

export interface Happened {
  kind: FaultKind
  hit: boolean
  /** Milliseconds until everything was ready again; absent where it never was. */
  recoveredMs?: number
  count?: number
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)

export function tableOf(happened: readonly Happened[]): string {
  const rows = faultKinds.map((kind) => {
    const all = happened.filter((one) => one.kind === kind)
    const hits = all.filter(({ hit }) => hit)
    const times = hits.flatMap(({ recoveredMs }) => recoveredMs ?? []).sort((a, b) => a - b)
    const messages = hits.reduce((sum, { count = 0 }) => sum + count, 0)
    return [
      kind,
      String(all.length),
      String(hits.length),
      String(times.length),
      times.length ? seconds(times[Math.floor((times.length - 1) / 2)]!) : '',
      times.length ? seconds(times.at(-1)!) : '',
      messages ? `${messages} messages` : '',
    ]
  })
  const total = [1, 2, 3].map((at) => String(rows.reduce((sum, row) => sum + Number(row[at]), 0)))
  const header = ['fault', 'drawn', 'hit', 'recovered', 'median s', 'longest s', '']
  const all = [header, ...rows, ['all', ...total, '', '', '']]
  const widths = header.map((_, at) => Math.max(...all.map((row) => row[at]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
