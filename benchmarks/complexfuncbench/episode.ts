/** The dialogue of one sample: its state is the list of the facts so far, and the protocol runs from its beginning with each event. */
import type { EpisodeEvent, EpisodeOptions, Json, Transcript, Turn } from '@stateeval/contracts'
import { type Episode, run } from '@stateeval/program'
import type { ComplexCase } from './case.ts'
import type { ConversationOf } from './conversation/cache.ts'
import { converse, defaultLimits, policies, type Policy } from './dialogue/converse.ts'
import type { BeginDecision } from './dialogue/decisions.ts'
import { layouts, runnerOf } from './runner/index.ts'

export const policyOf = ({ policy = policies[0] }: { policy?: string }) => policy as Policy

export function makeEpisode(conversationOf: ConversationOf): Episode<ComplexCase> {
  function next(
    c: ComplexCase,
    options: EpisodeOptions,
    memo: readonly Json[],
    event: EpisodeEvent | null,
    transcripts: readonly Transcript[],
  ): Turn {
    const policy = policyOf(options)
    const limits = { ...defaultLimits, ...options.limits }
    const { layout = layouts[0]! } = options
    const parts = { conversation: conversationOf(c), policy, runner: runnerOf({ layout }), limits }
    const step = run(memo, event, (fact) =>
      converse(parts, { fact, messages: transcripts[0]?.messages ?? [] }),
    )
    if ('need' in step) return { state: step.memo, need: step.need }
    const { rounds, end, notScored } = step.done
    const begin: BeginDecision = { kind: 'begin', layout, limits }
    const decisions = [begin, ...rounds, ...(end ? [end] : [])]
    return {
      done: { kind: 'dialogue', policy, inputs: [{ transcript: 0, run: null }], decisions },
      ...(notScored && { notScored }),
    }
  }
  return {
    start: (c, options) => next(c, options, [], null, []),
    resume: (c, options, state, event, transcripts) => next(c, options, state as Json[], event, transcripts),
  }
}
