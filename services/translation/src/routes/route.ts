import type { translationOperations } from '@stateeval/contracts'
import type { OperationHandler, WorkOf } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { TranslationContext } from '../context.ts'

/** The handler of an operation of this service. */
export type TranslationRoute<Id extends keyof typeof translationOperations> = OperationHandler<
  (typeof translationOperations)[Id],
  TranslationContext,
  WorkOf<typeof works, Id>
>
