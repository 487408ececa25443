/** The explicit list of languages. */
import type { Language, Program } from '@stateeval/contracts'
import type { Emitter } from './emitter.ts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'

export const emitters: readonly Emitter[] = [javascript, python]

/** The source text of a program in a language; null where no emitter writes that language. */
export const emit = (program: Program, language: Language): string | null =>
  emitters.find((emitter) => emitter.language === language)?.emit(program) ?? null
