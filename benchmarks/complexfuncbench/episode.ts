/**
 * The dialogue of one sample, led by golden calls, or under the policy `state` by the live world. Its state
 * is the list of the facts so far, and the protocol runs from its beginning with each event.
 */
import type {
  EpisodeEvent,
  EpisodeOptions,
  JsonValue,
  UnscoredReason,
  Transcript,
  EpisodeTransition,
} from '@stateeval/contracts'
import { type Episode, resolveLimits, run } from '@stateeval/program'
import type { ComplexCase } from './case.ts'
import type { ConversationOf } from './conversation/cache.ts'
import { leadConversation, policies, type JudgingPolicy } from './dialogue/converse.ts'
import type { BeginDecision, DialogueDecision } from './dialogue/decisions.ts'
import { limits, type DialogueSession } from './dialogue/session.ts'
import type { ModelTalk } from './dialogue/talk.ts'
import { leadLiveConversation } from './live/converse.ts'
import type { LiveDecision } from './live/decisions.ts'
import { statePolicy } from './live/policy.ts'
import { layouts, getRunner } from './runner/index.ts'
import { version } from './version.ts'

/** A dialogue that has ended: what was decided on the way, and the place of the observation of its world. */
interface LedDialogue {
  decisions: readonly (DialogueDecision | LiveDecision)[]
  run: number | null
  notScored?: UnscoredReason
}

function leadUnderPolicy(
  c: ComplexCase,
  policy: string,
  session: DialogueSession,
  talk: ModelTalk,
): LedDialogue {
  if (policy !== statePolicy) {
    const { rounds, end, notScored } = leadConversation({ ...session, policy: policy as JudgingPolicy }, talk)
    return { decisions: [...rounds, ...(end ? [end] : [])], run: null, ...(notScored && { notScored }) }
  }
  const { live } = c.task
  if (!live) {
    const detail = `${c.id} has no live world. Choose another policy, or a set that the command build created.`
    return { decisions: [], run: null, notScored: { reason: 'not_configured', detail } }
  }
  const { end, run: place = null, notScored } = leadLiveConversation(session, live, talk)
  return { decisions: end ? [end] : [], run: place, ...(notScored && { notScored }) }
}

export function makeEpisode(conversationOf: ConversationOf): Episode<ComplexCase> {
  function next(
    c: ComplexCase,
    options: EpisodeOptions,
    memo: readonly JsonValue[],
    event: EpisodeEvent | null,
    transcripts: readonly Transcript[],
  ): EpisodeTransition {
    const { layout = layouts[0]!, policy = policies[0] } = options
    const begin: BeginDecision = { kind: 'begin', version, layout, limits: resolveLimits(limits, options) }
    const session = { conversation: conversationOf(c), runner: getRunner({ layout }), limits: begin.limits }
    const step = run(memo, event, (fact) =>
      leadUnderPolicy(c, policy, session, { fact, messages: transcripts[0]?.messages ?? [] }),
    )
    if ('need' in step) return { state: step.memo, need: step.need }
    const { decisions, run: place, notScored } = step.done
    return {
      done: {
        kind: 'dialogue',
        policy,
        inputs: [{ transcript: 0, run: place }],
        decisions: [begin, ...decisions],
      },
      ...(notScored && { notScored }),
    }
  }
  return {
    start: (c, options) => next(c, options, [], null, []),
    resume: (c, options, state, event, transcripts) =>
      next(c, options, state as JsonValue[], event, transcripts),
  }
}
