/**
 * How much work the calls of one answer may be. Nothing interrupts a run in this process, so it is counted:
 * values that arguments and results hold, and what functions say that they take besides.
 */
import { PyComplex, type PyValue } from '../python/value.ts'
import { UnavailableError } from './errors.ts'

/** Limit of work for all calls together: a few seconds at most. */
const maxWork = 4_000_000

export interface WorkBudget {
  /** Throws where it is too much. */
  spend: (amount: number) => void
  /** The same for a value: what it holds, as often as it does. */
  take: (value: PyValue) => void
}

export function createWork(): WorkBudget {
  let left = maxWork
  const spend = (amount: number) => {
    left -= amount
    if (left < 0) throw new UnavailableError(`the calls take more than ${maxWork} steps`)
  }
  /** The same list may stand in a value a million times, so it stops where there is nothing left. */
  function take(value: PyValue): void {
    if (typeof value === 'bigint') return spend(measureBig(value))
    if (typeof value === 'string') return spend(1 + value.length / 8)
    spend(1)
    if (typeof value !== 'object' || value === null || value instanceof PyComplex) return
    for (const item of value.values()) take(item)
  }
  return { spend, take }
}

/** Multiplying and dividing take the square of an integer's length. */
function measureBig(value: bigint): number {
  if (BigInt.asIntN(64, value) === value) return 1
  const words = value.toString(16).length / 16
  return 1 + words ** 2 / 20
}
