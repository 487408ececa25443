/** What the engine asks of a kind of owner: how its items go, how they are counted, and what comes when a stage is done. */
import type { EvaluationContext } from '../context.ts'
import type { Tally } from '../engine/complete.ts'
import type { Prepared } from '../engine/step.ts'
import type { Owner } from './owner.ts'

export interface Plan<O extends Owner> {
  item(context: EvaluationContext, owner: O, stage: string, index: number): Promise<Prepared>
  /** What one ended item adds to the tally. */
  tally(out: unknown, owner: O): Omit<Tally, 'done'>
  /** All items of the stage have ended: enters the next one, or ends. May be called again. */
  finished(context: EvaluationContext, owner: O, stage: string): Promise<void>
}
