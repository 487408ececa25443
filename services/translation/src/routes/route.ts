import type { translationOperations } from '@stateeval/contracts'
import type { Handler, WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { Context } from '../context.ts'

/** The handler of an operation of this service. */
export type Route<Id extends keyof typeof translationOperations> = Handler<
  (typeof translationOperations)[Id],
  Context,
  WorkOf<typeof works, Id>
>
