/** The findings of a gate, as sentences. */
import type { GateComparison } from '@stateeval/contracts'
import { formatPercent } from '@stateeval/contracts/percent'
import { fewestDrops } from '../statistics/least-effect.ts'

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A share as a person types it: 80 %, 82.5 %. */
export const asTyped = (share: number) => Number((share * 100).toFixed(6))

/** With as many digits as tell the value from the limit: 79.96 % against 80 % must not read as 80.0 %. */
function digitsApart(value: number, limit: number): number {
  if (value === limit) return 1
  const isApart = (digits: number) => {
    const figure = Number(formatPercent(value, digits))
    return value < limit ? figure < asTyped(limit) : figure > asTyped(limit)
  }
  return [1, 2, 3, 4, 5].find(isApart) ?? 6
}

export const percent = (share: number, limit = share) =>
  `${formatPercent(share, digitsApart(share, limit))} %`

/** A difference of rates in percentage points, with its sign unless `isSigned` is false. */
export function points(difference: number, { limit = difference, isSigned = true } = {}): string {
  const text = formatPercent(Math.abs(difference), digitsApart(Math.abs(difference), Math.abs(limit)))
  const sign = !isSigned || difference === 0 ? '' : difference > 0 ? '+' : '-'
  return `${sign}${text} points`
}

const pText = (p: number) => `p = ${p < 0.0001 ? p.toExponential(1) : p.toFixed(4)}`
const tests = { mcnemar: 'McNemar’s exact test', 'sign-flip': 'sign-flip test' } as const

/** Both rates, the difference with its interval, and how many cases changed. */
export function foundIn(
  { rate, baselineRate, difference, interval, cases, regressed, improved }: GateComparison,
  limit: number,
): string {
  const between = interval
    ? ` (95 % interval ${points(interval[0]).replace(' points', '')} to ${points(interval[1])})`
    : ''
  return (
    `The pass rate is ${percent(rate ?? 0)} against ${percent(baselineRate ?? 0)} in the baseline on ` +
    `${plural(cases, 'shared case')}: ${points(difference ?? 0, { limit })}${between}; ` +
    `${plural(regressed, 'case')} worse, ${improved} better.`
  )
}

/** Describes whether the difference is significant, by which test. */
export const testedIn = ({ significant, p, test }: GateComparison) =>
  `The difference is ${significant ? '' : 'not '}significant (${pText(p)}, ${tests[test]}).`

/** The least drop that these cases would have detected, or why there is no such figure. */
export function detectable(comparison: GateComparison): string {
  const { leastDifference, cases, regressed, improved, alpha, power } = comparison
  const often = `${asTyped(power)} % of such evaluations`
  const fewest = fewestDrops(alpha)
  if (cases < fewest)
    return `No drop can be significant with ${plural(cases, 'case')}: that takes at least ${fewest}.`
  if (leastDifference !== null)
    return `A true drop of ${points(leastDifference, { isSigned: false })} or more would have been found in ${often}.`
  const enough = `If no case improves, ${fewest} worse cases (${points(fewest / cases, { isSigned: false })}) are significant.`
  const changed = regressed + improved
  return changed === 0
    ? enough
    : `Even a drop in ${changed === 1 ? 'the one case' : `all ${changed} cases`} that ${changed === 1 ? 'differs' : 'differ'} would have been found in less than ${often}. ${enough}`
}
