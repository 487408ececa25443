/** One file per operation; the compiler checks the list against the contract. */
import type { translationOperations } from '@stateeval/contracts'
import type { OperationHandlers } from '@stateeval/service-kit'
import type { works } from '../bodies.ts'
import type { TranslationContext } from '../context.ts'
import { createTranslation } from './create-translation.ts'
import { getTranslation } from './get-translation.ts'
import { listTranslations } from './list-translations.ts'
import { verifyTranslation } from './verify-translation.ts'

export const handlers: OperationHandlers<typeof translationOperations, TranslationContext, typeof works> = {
  createTranslation,
  listTranslations,
  getTranslation,
  verifyTranslation,
}
