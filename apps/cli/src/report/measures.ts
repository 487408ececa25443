/** Measures of a benchmark that judges by several policies: side by side, by part, and where policies differ. */
import type { Measures, ReportResult } from '@stateeval/contracts'
import { table } from '../terminal.ts'
import { plural, words } from './format.ts'
import { rows, type Setup, shown } from './paper-rows.ts'

const setupOf = ({ options }: ReportResult): Setup =>
  options['setup'] === 'arguments' ? 'arguments' : 'full'
const maxShown = 10

export function measureTables(result: ReportResult): string[] {
  const { measures, disagreements = [] } = result
  if (!measures || measures.length === 0) return []
  const policies = [...new Set(measures.map(({ policy }) => policy))]
  const { complete, short } = rows[setupOf(result)]
  const all = policies.map((policy) => measures.find((one) => one.policy === policy && one.group === 'all'))
  const known = (names: readonly string[]) =>
    names.filter((name) => all.some((one) => one?.values[name] !== undefined))
  return [
    table(
      [`${words(setupOf(result))} completion`, ...policies],
      known(complete).map((name) => [name, ...all.map((one) => shown(name, one?.values[name]))]),
    ),
    ...['api', 'method'].flatMap((group) => byPart(group, policies[0]!, measures, known(short))),
    ...(disagreements.length === 0
      ? []
      : [
          [
            `The policies differ about ${plural(disagreements.length, 'sample')}:`,
            ...disagreements.slice(0, maxShown).flatMap(({ case: id, sample, verdicts, why }) => [
              `  ${id} sample ${sample}: ${Object.entries(verdicts)
                .map(([policy, verdict]) => `${policy} ${words(verdict)}`)
                .join(', ')}`,
              ...why.map((says) => `    ${says}`),
            ]),
            ...(disagreements.length > maxShown
              ? [`  … and ${disagreements.length - maxShown} more; --format json has them all`]
              : []),
          ].join('\n'),
        ]),
  ]
}

function byPart(
  group: string,
  policy: string,
  measures: readonly Measures[],
  names: readonly string[],
): string[] {
  const parts = measures.filter((one) => one.policy === policy && one.group === group)
  if (parts.length === 0) return []
  return [
    table(
      [`by ${group}, ${policy}`, ...parts.map(({ name }) => name)],
      ['Samples', ...names].map((row) => [row, ...parts.map(({ values }) => shown(row, values[row]))]),
    ),
  ]
}
