/**
 * Limits of a dialogue. An episode reads no clock: the model's time is part of its replies, which are
 * stored with each answer. A resumed or replayed dialogue therefore ends at the same reply.
 */
import type { DialogueLimits, EpisodeOptions, SpeakerReply } from '@stateeval/contracts'

export type AllLimits = Required<DialogueLimits>

/**
 * A benchmark's default limits of dialogues, and the maxima that an evaluation may set, if they are
 * bounded.
 */
export interface LimitRange {
  usual: AllLimits
  most?: DialogueLimits
}

export const resolveLimits = (
  { usual }: LimitRange,
  { limits }: Pick<EpisodeOptions, 'limits'>,
): AllLimits => ({
  ...usual,
  ...limits,
})

/** The usage of a dialogue. */
export type DialogueUsage = { turns: number; calls: number; tokens: number; ms: number }
export const nothingTaken: DialogueUsage = { turns: 0, calls: 0, tokens: 0, ms: 0 }

/** No model writes more in one token, but for long runs of blanks. */
const charactersPerToken = 32

/**
 * Measures one reply; absent figures count as 0. A reply counts at least the tokens of its text, even if
 * its endpoint reports fewer, because they bound a dialogue's size.
 */
export function measureReply({
  text,
  toolCalls = [],
  usage,
  ms,
}: Pick<SpeakerReply, 'text' | 'toolCalls' | 'usage' | 'ms'>): Pick<DialogueUsage, 'tokens' | 'ms'> {
  const inCalls = toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0)
  const atLeast = Math.floor((text.length + inCalls) / charactersPerToken)
  return { tokens: Math.max(usage?.completionTokens ?? 0, atLeast), ms: ms ?? 0 }
}

/**
 * The limit that ends a dialogue whose newest reply requires another, in words: `40 replies`; null if none
 * does. That reply counts: at the last turn, or with more calls, tokens or time than allowed, its calls are
 * not made.
 */
export function limitReached(limits: AllLimits, { turns, calls, tokens, ms }: DialogueUsage): string | null {
  if (turns >= limits.turns) return `${limits.turns} ${limits.turns === 1 ? 'reply' : 'replies'}`
  if (calls > limits.calls) return `${limits.calls} calls`
  if (tokens > limits.tokens) return `${limits.tokens} tokens`
  return ms > limits.seconds * 1000 ? `${limits.seconds} seconds` : null
}
