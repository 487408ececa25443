/** What can be decided about in a build, whichever way it was made: evidence that never changes, and how decisions are followed. */
import type { Review, ReviewDecision } from '@stateeval/contracts'
import type { AssembledSet } from '../owners/assemble.ts'

/** Without the decisions, which stand beside it. */
export type Evidence = Omit<Review, 'decisions'>

export interface Reviewable {
  id: string
  /** How many places evidence is looked for at. */
  total: number
  /** Null where nothing was made at that place. */
  at(index: number): Promise<Evidence | null>
  /** Throws a problem that says what a decision lacks. */
  check(index: number, evidence: Evidence, decision: ReviewDecision): Promise<void>
  /** The set that follows the last decision about each case; null where nothing is left. */
  follow(last: ReadonlyMap<string, ReviewDecision>): Promise<AssembledSet | null>
}
