/** The findings of a gate, as sentences. */
import type { GateComparison } from '@stateeval/contracts'
import { formatPercent } from '@stateeval/contracts/percent'
import { countFewestDrops } from '../statistics/least-effect.ts'

export const countNoun = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A share as a person types it: 80 %, 82.5 %. */
export const formatTyped = (share: number) => Number((share * 100).toFixed(6))

/** With as many digits as tell the value from the limit: 79.96 % against 80 % must not read as 80.0 %. */
function countTellingDigits(value: number, limit: number): number {
  if (value === limit) return 1
  const isApart = (digits: number) => {
    const figure = Number(formatPercent(value, digits))
    return value < limit ? figure < formatTyped(limit) : figure > formatTyped(limit)
  }
  return [1, 2, 3, 4, 5].find(isApart) ?? 6
}

export const formatTellingPercent = (share: number, limit = share) =>
  `${formatPercent(share, countTellingDigits(share, limit))} %`

/** A difference of rates in percentage points, with its sign unless `isSigned` is false. */
function formatPoints(difference: number, { limit = difference, isSigned = true } = {}): string {
  const text = formatPercent(Math.abs(difference), countTellingDigits(Math.abs(difference), Math.abs(limit)))
  const sign = !isSigned || difference === 0 ? '' : difference > 0 ? '+' : '-'
  return `${sign}${text} points`
}

const formatP = (p: number) => `p = ${p < 0.0001 ? p.toExponential(1) : p.toFixed(4)}`
const tests = { mcnemar: 'McNemar’s exact test', 'sign-flip': 'sign-flip test' } as const

/** Both rates, the difference with its interval, and how many cases changed. */
export function describeRates(
  { rate, baselineRate, difference, interval, cases, regressed, improved }: GateComparison,
  limit: number,
): string {
  const between = interval
    ? ` (95 % interval ${formatPoints(interval[0]).replace(' points', '')} to ${formatPoints(interval[1])})`
    : ''
  return (
    `The pass rate is ${formatTellingPercent(rate ?? 0)} against ${formatTellingPercent(baselineRate ?? 0)} in the baseline on ` +
    `${countNoun(cases, 'shared case')}: ${formatPoints(difference ?? 0, { limit })}${between}; ` +
    `${countNoun(regressed, 'case')} worse, ${improved} better.`
  )
}

/** Describes whether the difference is significant, and by which test. */
export const describeTest = ({ significant, p, test }: GateComparison) =>
  `The difference is ${significant ? '' : 'not '}significant (${formatP(p)}, ${tests[test]}).`

/** The least drop that these cases would have detected, or why there is no such figure. */
export function describeDetectable(comparison: GateComparison): string {
  const { leastDifference, cases, regressed, improved, alpha, power } = comparison
  const often = `${formatTyped(power)} % of such evaluations`
  const fewest = countFewestDrops(alpha)
  if (cases < fewest)
    return `No drop can be significant with ${countNoun(cases, 'case')}: that takes at least ${fewest}.`
  if (leastDifference !== null)
    return `A true drop of ${formatPoints(leastDifference, { isSigned: false })} or more would have been found in ${often}.`
  const enough = `If no case improves, ${fewest} worse cases (${formatPoints(fewest / cases, { isSigned: false })}) are significant.`
  const changed = regressed + improved
  return changed === 0
    ? enough
    : `Even a drop in ${changed === 1 ? 'the one case' : `all ${changed} cases`} that ${changed === 1 ? 'differs' : 'differ'} would have been found in less than ${often}. ${enough}`
}
