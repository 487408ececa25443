/**
 * Who makes the golden calls, turn by turn, and gives the published final text; a mutant makes other calls.
 */
import type { EpisodeOptions, Json } from '@stateeval/contracts'
import type { Player } from '@stateeval/program'
import type { ComplexCase, Task } from './case.ts'
import type { ConversationOf } from './conversation/cache.ts'
import { runnerOf } from './runner/index.ts'

/** A path as a player makes it. */
export type Path = Task['turns']

export const makePlayer =
  (conversationOf: ConversationOf) =>
  (c: ComplexCase, options: EpisodeOptions, mutant?: Json): Player => {
    const runner = runnerOf(options)
    const path = (mutant as Path | undefined) ?? c.task.turns
    const { answer } = conversationOf(c)
    const replies = [
      ...path.flatMap((calls) => (calls.length === 0 ? [] : runner.write(calls))),
      { text: answer, finish: 'stop' },
    ]
    return ({ messages }) => replies[messages.filter(({ role }) => role === 'assistant').length] ?? null
  }
