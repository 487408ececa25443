/**
 * Plays the golden calls, turn by turn, and gives the published final text; a mutant makes other calls. Null
 * where no such path passes.
 */
import type { EpisodeOptions, JsonValue } from '@stateeval/contracts'
import type { ReplyPlayer } from '@stateeval/program'
import type { ComplexCase, ComplexTask } from './case.ts'
import type { ConversationOf } from './conversation/cache.ts'
import { policies } from './dialogue/converse.ts'
import { getRunner } from './runner/index.ts'

/** A path as a player makes it. */
type PlayedPath = ComplexTask['turns']

export const makePlayer =
  (conversationOf: ConversationOf) =>
  (c: ComplexCase, options: EpisodeOptions, mutant?: JsonValue): ReplyPlayer | null => {
    const { answer, functions } = conversationOf(c)
    const { marks = [] } = c.task
    const golden = c.task.turns.flat()
    const isOffered = (name: string | undefined) => functions.some((one) => one.name === name)
    // The released check refuses a marked call, and no policy takes a call of a function that is not offered.
    const isRefused = (options.policy ?? policies[0]) === 'published' && marks.length > 0
    if (isRefused || !marks.every(({ call }) => isOffered(golden[call]?.name))) return null
    const runner = getRunner(options)
    const path = (mutant as PlayedPath | undefined) ?? c.task.turns
    const replies = [
      ...path.flatMap((calls) => (calls.length === 0 ? [] : runner.write(calls))),
      { text: answer, finish: 'stop' },
    ]
    return ({ messages }) => replies[messages.filter(({ role }) => role === 'assistant').length] ?? null
  }
