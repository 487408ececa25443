/** The explicit list of languages. */
import { canonicalJson, type Language, type Program } from '@stateeval/contracts'
import type { CodeEmitter } from './emitter.ts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'

export const emitters: readonly CodeEmitter[] = [javascript, python]

/**
 * The source text of a program in a language; null without an emitter. A program has one text per id, for
 * any order of keys in its JSON: arguments and members are written in canonical order.
 */
export function emit(program: Program, language: Language): string | null {
  const emitter = emitters.find((one) => one.language === language)
  return emitter ? emitter.emit(JSON.parse(canonicalJson(program)) as Program) : null
}
