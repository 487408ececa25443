/** Episodes of the kind: led by golden calls, or under the policy `state` by the live world. */
import type { EpisodeEvent, EpisodeOptions, Json, Transcript, Turn } from '@stateeval/contracts'
import { type Episode, run } from '@stateeval/program'
import type { ComplexCase } from '../case.ts'
import type { ConversationOf } from '../conversation/cache.ts'
import { defaultLimits } from '../dialogue/converse.ts'
import type { BeginDecision } from '../dialogue/decisions.ts'
import { NotScored } from '../dialogue/talk.ts'
import { layouts, runnerOf } from '../runner/index.ts'
import { converseLive } from './converse.ts'
import type { LiveDecision } from './decisions.ts'
import { statePolicy } from './policy.ts'

const done = (decisions: LiveDecision[], runAt: number | null): Extract<Turn, { done: unknown }> => ({
  done: { kind: 'dialogue', policy: statePolicy, inputs: [{ transcript: 0, run: runAt }], decisions },
})

/** @param byGoldenCalls the episode of the other policies */
export function withLiveEpisode(
  byGoldenCalls: Episode<ComplexCase>,
  conversationOf: ConversationOf,
): Episode<ComplexCase> {
  function next(
    c: ComplexCase,
    options: EpisodeOptions,
    memo: readonly Json[],
    event: EpisodeEvent | null,
    transcripts: readonly Transcript[],
  ): Turn {
    const { live } = c.task
    const { layout = layouts[0]! } = options
    const limits = { ...defaultLimits, ...options.limits }
    const begin: BeginDecision = { kind: 'begin', layout, limits }
    if (!live)
      return {
        ...done([begin], null),
        notScored: {
          reason: 'not_configured',
          detail: `${c.id} has no live world. Choose another policy, or a set that build made.`,
        },
      }
    const parts = { live, conversation: conversationOf(c), runner: runnerOf({ layout }), limits }
    const step = run(memo, event, (fact) => {
      try {
        return converseLive(parts, { fact, messages: transcripts[0]?.messages ?? [] })
      } catch (error) {
        if (error instanceof NotScored) return error
        throw error
      }
    })
    if ('need' in step) return { state: step.memo, need: step.need }
    const end = step.done
    if (!(end instanceof NotScored)) return done([begin, end.end], end.run)
    return { ...done([begin], null), notScored: { reason: end.reason, detail: end.message } }
  }
  const isLive = ({ policy }: EpisodeOptions) => policy === statePolicy
  return {
    start: (c, options) =>
      isLive(options) ? next(c, options, [], null, []) : byGoldenCalls.start(c, options),
    resume: (c, options, state, event, transcripts) =>
      isLive(options)
        ? next(c, options, state as Json[], event, transcripts)
        : byGoldenCalls.resume(c, options, state, event, transcripts),
  }
}
