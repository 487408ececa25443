/** An audit to read: a row for each theme or attempt, and every attempt that worked. */
import { formatShare, formatPlural } from '../report/format.ts'
import { formatTable, type TerminalColors } from '../terminal.ts'
import type { AttemptOutcome } from './outcome.ts'
import type { AuditReport, WayReport } from './audit.ts'

const formatAuditRate = (share: number | null) => (share === null ? '–' : formatShare(share))
const verdicts: Record<AttemptOutcome['verdict'], string> = {
  held: 'held',
  'scored more': 'SCORED MORE THAN IT IS WORTH',
  'not scored': 'LEFT THE RATE',
}
const head = ['attempt', 'samples', 'honest rate', 'attacked rate', 'verdict']

const formatRow = (one: AttemptOutcome) => [
  one.name,
  one.samples,
  formatAuditRate(one.honest),
  formatAuditRate(one.attacked),
  verdicts[one.verdict],
]

/** Attempts of one theme that held, in one row. */
function formatThemeRow(theme: string, all: readonly AttemptOutcome[]) {
  const samples = all.reduce((sum, one) => sum + one.samples, 0)
  const mean = (of: (one: AttemptOutcome) => number) =>
    all.reduce((sum, one) => sum + of(one) * one.samples, 0) / samples
  return [
    `${theme}: ${formatPlural(all.length, 'attempt')}`,
    samples,
    formatAuditRate(mean((one) => one.honest)),
    formatAuditRate(mean((one) => one.attacked ?? 0)),
    verdicts.held,
  ]
}

const undecidedNote =
  'Not decided: honest answers exceeded their time limit after the attempts, but also after honest answers. Either the machine is busy, or an attempt slows it for a long time. Repeat the audit on a quiet machine.'

const readTheme = ({ name }: AttemptOutcome) => name.split(':')[0]!

function buildAttemptRows(attempts: readonly AttemptOutcome[], each: boolean) {
  if (each) return attempts.map(formatRow)
  const held = Map.groupBy(
    attempts.filter(({ verdict }) => verdict === 'held'),
    readTheme,
  )
  return [
    ...[...held].map(([theme, all]) => formatThemeRow(theme, all)),
    ...attempts.filter(({ verdict }) => verdict !== 'held').map(formatRow),
  ]
}

function formatWay(
  { way, attempts, leftovers, isUndecided }: WayReport,
  each: boolean,
  pc: TerminalColors,
): string[] {
  return [
    pc.bold(`Answers: ${way}`),
    formatTable(head, buildAttemptRows(attempts, each)),
    ...leftovers.map(
      (one) =>
        `Left behind: the ${one.sample === 0 ? 'right' : 'wrong'} answer to ${one.case} ${one.before} before the attempts; after them: ${one.after}.`,
    ),
    ...(isUndecided ? [undecidedNote] : []),
    ...attempts
      .filter(({ verdict }) => verdict !== 'held')
      .map(({ name, evidence: [place] }) =>
        place
          ? `${name}: npx stateeval answers ${place.evaluation} --case ${place.case} (sample ${place.sample})`
          : name,
      ),
  ]
}

export function formatAudit(
  { ways, notTried, passed }: AuditReport,
  each: boolean,
  pc: TerminalColors,
): string {
  const attempts = ways.flatMap((one) => one.attempts)
  const samples = attempts.reduce((sum, one) => sum + one.samples, 0)
  const worked = attempts.filter(({ verdict }) => verdict !== 'held')
  const results = [
    formatPlural(worked.length, 'attempt') + ' worked',
    ...(ways.some(({ leftovers }) => leftovers.length > 0) ? ['something was left behind'] : []),
    ...(ways.some(({ isUndecided }) => isUndecided) ? ['delays were not decided'] : []),
  ]
  const byReason = Map.groupBy(notTried, ({ way, why }) => `${way}: ${why}`)
  return [
    ...ways.flatMap((one) => [...formatWay(one, each, pc), '']),
    ...(byReason.size > 0 ? [pc.bold('Not tried')] : []),
    ...[...byReason].map(
      ([reason, all]) =>
        `${all.length === 1 ? all[0]!.name : formatPlural(all.length, 'attempt')} (${reason})`,
    ),
    ...(byReason.size > 0 ? [''] : []),
    passed
      ? `${formatPlural(attempts.length, 'attempt')} on ${formatPlural(samples, 'answer')}: none scored above its honest rate, and none left the rate.`
      : `${formatPlural(attempts.length, 'attempt')} on ${formatPlural(samples, 'answer')}: ${results.join(', and ')}.`,
  ].join('\n')
}
