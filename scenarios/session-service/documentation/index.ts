/** The documentation by language. */
import type { Language } from '@stateeval/contracts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import type { ApiDocumentation } from './text.ts'

export const documentations: Readonly<Record<Language, ApiDocumentation>> = { javascript, python }
