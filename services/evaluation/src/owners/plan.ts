/** What the engine asks of a kind of owner: how its items go, how they are counted, and what comes when a stage is done. */
import type { Usage } from '@stateeval/contracts'
import type { ItemFlow } from '@stateeval/workflow'
import type { Flow, ItemNeed } from '../flows/flow.ts'
import type { Owner } from './owner.ts'
import type { Progress } from './stage.ts'

export interface Plan<O extends Owner> {
  item(owner: O, stage: string, index: number): Promise<ItemFlow<ItemNeed>>
  /** What one ended item adds to the progress of its stage. */
  counts(outcome: unknown, owner: O): Pick<Progress, 'passed' | 'notScored' | keyof Usage> & Partial<Progress>
  /** All items of the stage have ended: enters the next one, or ends. May be called again. */
  finished(owner: O, stage: string): Promise<void>
}

/** A flow with its context, as the engine leads it. */
export const bound = <C, S, Out>(flow: Flow<C, S, Out>, context: C): ItemFlow<ItemNeed> => ({
  start: () => flow.start(context),
  resume: (state, answer) => flow.resume(state as S, answer as never, context),
  need: (state) => flow.need(state as S, context),
})
