import type { scoringOperations } from '@stateeval/contracts'
import type { OperationHandler, WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { ScoringContext } from '../context.ts'

/** The handler of an operation of this service. */
export type ScoringRoute<Id extends keyof typeof scoringOperations> = OperationHandler<
  (typeof scoringOperations)[Id],
  ScoringContext,
  WorkOf<typeof works, Id>
>
