/** Cases that one evaluation passes more often than another. */
import type { SampleRow } from '@stateeval/contracts'

export interface Flip {
  case: string
  /** Shares of the case's scored samples that passed. */
  a: number
  b: number
  /** A sample of it in each, which failed where one did. */
  placeA: number
  placeB: number
}

interface Tally {
  scored: number
  passed: number
  place: number
  failedAt: boolean
}

function tallied(rows: readonly SampleRow[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>()
  for (const { case: id, passed, place } of rows) {
    if (passed === null) continue
    const tally = tallies.get(id) ?? { scored: 0, passed: 0, place, failedAt: !passed }
    tally.scored++
    if (passed) tally.passed++
    else if (!tally.failedAt) Object.assign(tally, { place, failedAt: true })
    tallies.set(id, tally)
  }
  return tallies
}

/**
 * Among the cases that both scored: those that b passes less often, and those that it passes more often.
 */
export function flipsOf(a: readonly SampleRow[], b: readonly SampleRow[]): { lost: Flip[]; won: Flip[] } {
  const ofB = tallied(b)
  const [lost, won]: [Flip[], Flip[]] = [[], []]
  for (const [id, one] of tallied(a)) {
    const other = ofB.get(id)
    if (!other) continue
    const flip = {
      case: id,
      a: one.passed / one.scored,
      b: other.passed / other.scored,
      placeA: one.place,
      placeB: other.place,
    }
    if (flip.b < flip.a) lost.push(flip)
    if (flip.b > flip.a) won.push(flip)
  }
  return { lost, won }
}
