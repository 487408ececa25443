/** Players that do not depend on a benchmark. */
import type { ReplyPlayer } from './benchmark.ts'

/** A player with one answer. */
export const oneAnswer =
  (text: string): ReplyPlayer =>
  ({ messages }) =>
    messages.some(({ role }) => role === 'assistant') ? null : { text, finish: 'stop' }

/** The text of a player's first reply; null if there is none. */
export const getFirstAnswer = (player: ReplyPlayer | null): string | null =>
  player?.({ role: 'model', messages: [] })?.text ?? null
