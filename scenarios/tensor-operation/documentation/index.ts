/** The documentation by language. */
import type { Language } from '@stateeval/contracts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import type { Documentation } from './text.ts'

export const documentations: Readonly<Record<Language, Documentation>> = { javascript, python }
