/** A language of emitted programs: one emitter each, listed in index.ts. */
import type { Language, Program } from '@stateeval/contracts'

export interface CodeEmitter {
  language: Language
  /** The source text of a program without its initialisation block: variables are globals of the run. */
  emit(program: Program): string
}
