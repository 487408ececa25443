/** A list of calls that is run: its names, labels and argument texts, and how its run ended. */
import type { ListedCall } from '@stateeval/contracts'

export type { ListedCall }

/**
 * How a list of calls ended: with the last call's value as JSON text; failed at a call; or it could not be
 * run here, which says nothing about the answer.
 */
export type CallsOutcome =
  | { outcome: 'value'; value: string; foreign?: ForeignValue }
  | { outcome: 'failed'; call: number; says: string }
  | { outcome: 'unavailable'; call: number; says: string }

/**
 * Stands for a value that JSON has no exact form for, such as a complex number: the JSON text of what
 * Python's == finds equal to it, null where nothing is equal. `value` is then what comes nearest to it.
 */
interface ForeignValue {
  equals: string | null
}

export const createFailure = (call: number, says: string): CallsOutcome => ({
  outcome: 'failed',
  call,
  says: says.slice(0, 500),
})
