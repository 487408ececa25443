/** Error types, root causes and what several samples say, as tables for a terminal. */
import type { ErrorReport, ReportResult } from '@stateeval/contracts'
import { table } from '../terminal.ts'
import { interval, percent, words } from './format.ts'

const most = 10
/** The finer lists, with the head of each. */
export const finer: readonly [keyof Omit<ErrorReport, 'byScenario'>, string][] = [
  ['exceptions', 'error that ended the run'],
  ['kinds', 'root cause, and what went wrong within it'],
  ['apis', 'API at which the program left the reference’s way'],
  ['arguments', 'argument or property there'],
  ['items', 'what of RESULT and state differs'],
]

export function errorTables({ errors }: ReportResult): string[] {
  if (!errors) return []
  return [
    table(
      ['error types', 'failed', 'syntax', 'execution', 'result'],
      errors.byScenario.map((one) => [one.name, one.failed, one.syntax, one.execution, one.result]),
    ),
    ...finer.flatMap(([key, head]) => {
      const rows = errors[key]
        .slice(0, most)
        .map(({ name, samples }): [string, number] => [key === 'kinds' ? words(name) : name, samples])
      const more = errors[key].length - rows.length
      return rows.length
        ? [`${table([head, 'samples'], rows)}${more > 0 ? `\n  … and ${more} more` : ''}`]
        : []
    }),
  ]
}

/** pass@k and pass^k, first tries: nothing where each case has one sample and one try. */
export function sampleTables({ statistics, firstTry }: ReportResult): string[] {
  const several = statistics && statistics.passAtK.length > 1 ? statistics : undefined
  return [
    ...(firstTry
      ? [
          `First tries: ${firstTry.passed}/${firstTry.scored}, ${percent(firstTry.rate)} (95 % interval ${interval(firstTry.interval)}); the rates above are of the last.`,
        ]
      : []),
    ...(several
      ? [
          `${table(
            ['k', 'pass@k: one of k passes', 'pass^k: all k pass', 'cases'],
            several.passAtK.map(({ k, estimate, cases }, n) => [
              k,
              percent(estimate),
              percent(several.passAllK[n]?.estimate ?? null),
              cases,
            ]),
          )}`,
        ]
      : []),
  ]
}
