import type { evaluationOperations } from '@stateeval/contracts'
import type { Handler } from '@stateeval/service-kit'

/** The handler of an operation, with the dependencies that it uses. */
export type Route<Id extends keyof typeof evaluationOperations, Needs> = Handler<
  (typeof evaluationOperations)[Id],
  Needs
>
