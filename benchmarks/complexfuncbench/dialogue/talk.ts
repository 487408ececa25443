/** How the protocol speaks: it asks for facts, and reads what the model said in the transcript. */
import type { EpisodeEvent, Message, HostNeed, UnmetNeed } from '@stateeval/contracts'
import { type ReplayFact, type DialogueUsage, measureReply } from '@stateeval/program'

export type AssistantMessage = Extract<Message, { role: 'assistant' }>

export interface ModelTalk {
  fact: ReplayFact
  /** The messages so far; those of replies that were given as facts are among them. */
  messages: readonly Message[]
}

/** Why somebody could not be asked. */
export type PartySilence = Pick<UnmetNeed, 'reason' | 'detail'>
export const findSilence = (event: EpisodeEvent): { none: PartySilence } | null =>
  event.kind === 'unavailable' ? { none: { reason: event.reason, detail: event.detail } } : null

/** Silences of whoever was never asked. */
const unasked: ReadonlySet<PartySilence['reason']> = new Set(['not_configured', 'not_recorded', 'exhausted'])

/**
 * Tells whether somebody who gave no answer to a question about the model's text answers the same question
 * about a known one: then the text is at fault, such as for its length.
 */
export const hasRefusalAnswer = ({ fact }: ModelTalk, none: PartySilence, known: () => HostNeed): boolean =>
  !unasked.has(none.reason) && fact(known, (event) => event.kind === 'consulted' || event.kind === 'similar')

/** Thrown where a dialogue cannot be led to its end now: nothing of it is scored. */
export class NotScoredError extends Error {
  readonly reason: PartySilence['reason']

  constructor(reason: PartySilence['reason'], detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** The n-th message of the model; the messages before it. */
export function getSpoken(
  { messages }: ModelTalk,
  n: number,
): { message: AssistantMessage; before: Message[] } {
  let count = 0
  for (const [at, message] of messages.entries())
    if (message.role === 'assistant' && count++ === n) return { message, before: messages.slice(0, at) }
  throw new TypeError(`the transcript has no message ${n} of the model`)
}

/** Says something and waits for the reply. What it took; or why there is none. */
export function hearReply(
  { fact }: ModelTalk,
  need: Omit<Extract<HostNeed, { kind: 'reply' }>, 'kind' | 'role' | 'transcript'>,
): Pick<DialogueUsage, 'tokens' | 'ms'> | { none: PartySilence } {
  return fact({ kind: 'reply', role: 'model', transcript: 0, ...need }, (event) => {
    if (event.kind !== 'replied') return findSilence(event) ?? throwUnexpected(event)
    return measureReply(event)
  })
}

export const throwUnexpected = (event: EpisodeEvent): never => {
  throw new TypeError(`a dialogue cannot continue with ${event.kind}`)
}
