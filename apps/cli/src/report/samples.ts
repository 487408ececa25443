/** Statistics of several samples and tries per case, as tables for a terminal. */
import type { OverCases, ReportResult } from '@stateeval/contracts'
import { formatTable } from '../terminal.ts'
import { formatInterval, formatRate } from './format.ts'

/** pass@k or pass^k with its bracket. */
export const formatEstimate = ({ estimate = null, bracket }: Partial<OverCases> = {}) =>
  formatRate({ rate: estimate, ...(bracket && { bracket }) })

/** pass@k and pass^k, first tries; empty if each case has one sample and one try. */
export function sampleTables({ statistics, firstTry }: ReportResult): string[] {
  const several = statistics && statistics.passAtK.length > 1 ? statistics : undefined
  return [
    ...(firstTry
      ? [
          `First tries: ${firstTry.passed}/${firstTry.scored}, ${formatRate(firstTry)} (95 % interval ${formatInterval(firstTry.interval)}); the rates above are those of the last tries.`,
        ]
      : []),
    ...(several
      ? [
          `${formatTable(
            ['k', 'pass@k: one of k passes', 'pass^k: all k pass', 'cases'],
            several.passAtK.map((one, n) => [
              one.k,
              formatEstimate(one),
              formatEstimate(several.passAllK[n]),
              one.cases,
            ]),
          )}`,
        ]
      : []),
  ]
}
