/** The explicit list of translators. */
import { template } from './template.ts'
import type { Translator } from './translator.ts'

export type { Translator } from './translator.ts'
export const translators: readonly Translator[] = [template]
