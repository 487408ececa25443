/** Translators: they write instructions for programs. Each has one file, listed in index.ts. */
import type { Program, ProgramTranslation, TranslationAgents } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'

/** A program's translation, without the program's id. */
export type TranslatedProgram = ProgramTranslation extends infer T
  ? T extends { program: string }
    ? Omit<T, 'program'>
    : never
  : never

export interface TranslationSubject {
  program: Program
  scenario: Scenario
  /** The model that the scenario is made of, for threads. */
  model?: Uint8Array
}

export interface ProgramTranslator {
  id: string
  version: string
  translate(
    request: TranslationSubject & { seed: string | number; agents?: TranslationAgents },
    signal: AbortSignal,
  ): Promise<TranslatedProgram>
}
