import type { evaluationOperations } from '@stateeval/contracts'
import type { OperationHandler, WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'

/** The handler of an operation, with the dependencies that it uses. */
export type OperationRoute<Id extends keyof typeof evaluationOperations, Needs> = OperationHandler<
  (typeof evaluationOperations)[Id],
  Needs,
  WorkOf<typeof works, Id>
>
