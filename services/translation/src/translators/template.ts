import type { Program } from '@stateeval/contracts'
import { isLong, type ThreadPool } from '@stateeval/service-kit'
import { translate, translatorVersion } from '@stateeval/translate'
import type { TranslatedProgram, ProgramTranslator } from './translator.ts'

export interface TranslateTask {
  /** The program as JSON text. */
  program: string
  seed: string | number
  /** The model of its scenario, if it has one. */
  model?: Uint8Array
}

/** Characters of a program that is translated in place: one of five calls, which takes a few milliseconds. */
const maxInPlace = 4096
/** Twelve wordings of the longest program take some seconds. */
const longestMs = 60_000

/** The deterministic translator: no model, no network. Long programs are translated in a thread. */
export const createTemplateTranslator = (threads: ThreadPool): ProgramTranslator => ({
  id: 'template',
  version: translatorVersion,
  async translate({ program, scenario, seed, model }, signal) {
    if (!isLong(program, maxInPlace)) return translate({ program, scenario, seed })
    const text = JSON.stringify(program satisfies Program)
    const task: TranslateTask = { program: text, seed, ...(model && { model }) }
    return threads.run<TranslatedProgram>('translate', task, { maxMs: longestMs, signal })
  },
})
