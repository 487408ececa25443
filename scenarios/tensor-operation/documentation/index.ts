/** The documentation by language. */
import type { Language } from '@stateeval/contracts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import type { TensorDocumentation } from './text.ts'

export const documentations: Readonly<Record<Language, TensorDocumentation>> = { javascript, python }
