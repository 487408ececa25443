/** What a model would have to answer to pass: the reference code, in a fence as the prompt asks for. */
import type { Case, Language, Program } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { rulesOf } from './prompt/rules.ts'

/** A program as an answer; null where it can't be written in that language. */
export function answerOf(program: Program, language: Language): string | null {
  const code = emit(program, language)
  return code === null ? null : `\`\`\`${rulesOf[language]?.fence ?? language}\n${code.trimEnd()}\n\`\`\`\n`
}
export const selfCheck = (c: Case, language: Language) => answerOf(c.program, language)
