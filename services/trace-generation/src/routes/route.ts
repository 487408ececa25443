import type { traceGenerationOperations } from '@stateeval/contracts'
import type { Handler, WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { TraceContext } from '../context.ts'

/** The handler of an operation of this service. */
export type TraceRoute<Id extends keyof typeof traceGenerationOperations> = Handler<
  (typeof traceGenerationOperations)[Id],
  TraceContext,
  WorkOf<typeof works, Id>
>
