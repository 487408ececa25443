/** Plays the reference code, or a mutant of it, in a fence as the prompt asks for. */
import type { Case, EpisodeOptions, JsonValue, Language, Program } from '@stateeval/contracts'
import { emit, oneAnswer, type ReplyPlayer } from '@stateeval/program'
import { getLanguage } from './episode.ts'
import { rulesOf } from './prompt/rules.ts'

/** A program as an answer; null where it can't be written in that language. */
export function writeAnswer(program: Program, language: Language): string | null {
  const code = emit(program, language)
  return code === null ? null : `\`\`\`${rulesOf[language]?.fence ?? language}\n${code.trimEnd()}\n\`\`\`\n`
}

/** A mutant is the answer that it gives. */
export function createStateevalPlayer(
  c: Case,
  options: EpisodeOptions,
  mutant?: JsonValue,
): ReplyPlayer | null {
  const answer = mutant === undefined ? writeAnswer(c.program, getLanguage(options)) : String(mutant)
  return answer === null ? null : oneAnswer(answer)
}
