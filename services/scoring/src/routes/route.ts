import type { scoringOperations } from '@stateeval/contracts'
import type { Handler, WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { Context } from '../context.ts'

/** The handler of an operation of this service. */
export type Route<Id extends keyof typeof scoringOperations> = Handler<
  (typeof scoringOperations)[Id],
  Context,
  WorkOf<typeof works, Id>
>
