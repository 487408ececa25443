import type { evaluationOperations } from '@stateeval/contracts'
import type { EvaluationRoute } from '@stateeval/jobs'
import type { WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'

/** The handler of an operation, with what is made of its body. */
export type OperationRoute<Id extends keyof typeof evaluationOperations, Needs> = EvaluationRoute<
  Id,
  Needs,
  WorkOf<typeof works, Id>
>
