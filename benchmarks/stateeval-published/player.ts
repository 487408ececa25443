/** Plays the published program, or a mutant of it, in a fence as the prompt asks for. */
import type { EpisodeOptions, JsonValue } from '@stateeval/contracts'
import { oneAnswer, type ReplyPlayer } from '@stateeval/program'
import type { PublishedCase } from './case.ts'

export const writePublishedAnswer = (program: string): string =>
  `\`\`\`python\n${program.trimEnd()}\n\`\`\`\n`

/** A mutant is the answer that it gives. Programs are published in Python only. */
export function createPublishedPlayer(
  { task }: PublishedCase,
  { language = 'python' }: EpisodeOptions,
  mutant?: JsonValue,
): ReplyPlayer | null {
  if (language !== 'python') return null
  return oneAnswer(mutant === undefined ? writePublishedAnswer(task.tests[0]!.program) : String(mutant))
}
