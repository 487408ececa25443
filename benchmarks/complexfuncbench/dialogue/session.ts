/** Query, rounds of calls, final text: what every dialogue has in common, whoever answers its calls. */
import type { Message } from '@stateeval/contracts'
import {
  type AllLimits,
  limitReached,
  type LimitRange,
  nothingTaken,
  type DialogueUsage,
} from '@stateeval/program'
import type { SampleConversation } from '../conversation/conversation.ts'
import type { DialogueRunner, WrittenCall } from '../runner/runner.ts'
import { cutForeign } from './decisions.ts'
import { hearReply, NotScoredError, getSpoken, type ModelTalk } from './talk.ts'

/**
 * The released code has no limits; these end a dialogue that would not. More turns or calls than `most` would
 * not fit in the state of an episode.
 */
export const limits: LimitRange = {
  usual: { turns: 40, calls: 100, tokens: 200_000, seconds: 3600 },
  most: { turns: 100, calls: 200 },
}

export interface DialogueSession {
  conversation: SampleConversation
  runner: DialogueRunner
  limits: AllLimits
}

/** The answers to the calls of a reply, in order; or the end of the dialogue. */
type AnsweredCalls<E> = { answers: readonly string[] } | { end: E }

/**
 * How a dialogue ended: by a text, because there was no further reply, at a limit, or by whoever answers the
 * calls.
 */
export type DialogueEnding<E> =
  | { by: 'text'; text: string }
  | { by: 'silence' }
  | { by: 'limit'; message: string }
  | { by: 'answer'; end: E }

/**
 * @param answer answers the calls of a reply; `before` are the messages before it
 * @returns the end, and the replies that called something, with their calls
 */
export function talkToEnd<E>(
  { conversation, runner, limits }: DialogueSession,
  talk: ModelTalk,
  answer: (writtenCalls: readonly WrittenCall[], before: readonly Message[]) => AnsweredCalls<E>,
): DialogueEnding<E> & Pick<DialogueUsage, 'turns' | 'calls'> {
  const toolChoice = runner.usesTools && ({ toolChoice: 'auto' } as const)
  let need = { ...runner.open(conversation), ...toolChoice }
  let effort = nothingTaken
  for (;;) {
    const { turns, calls } = effort
    const heard = hearReply(talk, need)
    if ('none' in heard) {
      const { reason, detail } = heard.none
      if (turns > 0 && reason === 'exhausted') return { by: 'silence', turns, calls }
      // The first question fitted the context: what came since does not, and that is the model's.
      if (turns > 0 && reason === 'context')
        return { by: 'limit', message: `the dialogue was ended: ${cutForeign(detail)}`, turns, calls }
      throw new NotScoredError(reason, detail)
    }
    const { message, before } = getSpoken(talk, turns)
    const writtenCalls = runner.read(message, conversation)
    if (writtenCalls.length === 0) return { by: 'text', text: message.content, turns, calls }
    effort = {
      turns: turns + 1,
      calls: calls + writtenCalls.length,
      tokens: effort.tokens + heard.tokens,
      ms: effort.ms + heard.ms,
    }
    const limit = limitReached(limits, effort)
    if (limit !== null) {
      const message = `the dialogue was ended by a limit: ${limit}`
      return { by: 'limit', message, turns: effort.turns, calls: effort.calls }
    }
    const answered = answer(writtenCalls, before)
    if ('end' in answered)
      return { by: 'answer', end: answered.end, turns: effort.turns, calls: effort.calls }
    need = { append: runner.answer(writtenCalls, answered.answers), ...toolChoice }
  }
}
