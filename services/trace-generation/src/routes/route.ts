import type { traceGenerationOperations } from '@stateeval/contracts'
import type { OperationHandler, WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { TraceContext } from '../context.ts'

/** The handler of an operation of this service. */
export type TraceRoute<Id extends keyof typeof traceGenerationOperations> = OperationHandler<
  (typeof traceGenerationOperations)[Id],
  TraceContext,
  WorkOf<typeof works, Id>
>
