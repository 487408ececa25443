import type { evaluationOperations } from '@stateeval/contracts'
import type { OperationHandler } from '@stateeval/service-kit'

/** The handler of an operation of evaluation's contract, with the dependencies that it uses. */
export type EvaluationRoute<
  Id extends keyof typeof evaluationOperations,
  Needs,
  Work = undefined,
> = OperationHandler<(typeof evaluationOperations)[Id], Needs, Work>
