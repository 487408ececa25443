/** A whole dialogue whose calls golden calls answer, and what judges say of its final text. */
import { readText } from '@stateeval/answers'
import type { UnscoredReason as Unscored } from '@stateeval/contracts'
import type { Conversation } from '../conversation/conversation.ts'
import { Crash } from '../format/published.ts'
import { judgeText } from '../judge/answer.ts'
import type { Runner } from '../runner/runner.ts'
import type { EndDecision, RoundDecision } from './decisions.ts'
import { createPublished } from './published.ts'
import type { End, Rules } from './rules.ts'
import { type Ended, type Session, talkToEnd } from './session.ts'
import { createSound } from './sound.ts'
import { NotScored, type Talk } from './talk.ts'

export const policies = ['published', 'sound'] as const
export type Policy = (typeof policies)[number]

export interface Conversed {
  rounds: readonly RoundDecision[]
  /** Absent where the dialogue could not be led to its end. */
  end?: EndDecision
  notScored?: Unscored
}

/**
 * Leads one dialogue to its end. What is missing unwinds it, as `run` of @stateeval/program has it.
 *
 * @param rounds gets what is decided, for who stops it on the way
 */
export function converse(
  { policy, ...led }: Session & { policy: Policy },
  talk: Talk,
  rounds: RoundDecision[] = [],
): Conversed {
  const session = { ...led, runner: runnerUnder(policy, led.runner) }
  const { conversation, runner } = session
  try {
    const rules =
      policy === 'published' ? createPublished(conversation, runner, talk) : createSound(conversation, talk)
    const ended = talkToEnd(session, talk, (writtenCalls, before) => {
      const { decision, then } = rules.round(writtenCalls, before)
      rounds.push(decision)
      return then
    })
    const spoken = policy === 'sound' && ended.by === 'text' ? { ...ended, text: meant(ended.text) } : ended
    return concluded(conversation, rules, talk, { rounds, ended: spoken })
  } catch (error) {
    if (error instanceof Crash)
      return unrecorded(conversation, rounds, {
        by: 'policy',
        message: `the published evaluator crashes: ${error.message}`,
      })
    if (error instanceof NotScored)
      return { rounds, notScored: { reason: error.reason, detail: error.message } }
    throw error
  }
}

/** The meaning of a reply besides its thoughts, which are empty words where nothing follows them. */
const meant = (text: string): string => readText(text) ?? ''

/** The released runners read calls from all of a text; under `sound`, a call in a thought is none. */
export const runnerUnder = (policy: Policy, runner: Runner): Runner =>
  policy === 'published'
    ? runner
    : {
        ...runner,
        read: (message, conversation) =>
          runner.read({ ...message, content: meant(message.content) }, conversation),
      }

/** The released code records nothing of it. That is no way out: it is a failed dialogue here. */
function unrecorded(
  { turns }: Conversation,
  rounds: RoundDecision[],
  { by, message }: Pick<EndDecision, 'by' | 'message'>,
): Conversed {
  const total = turns.flatMap(({ calls }) => calls).length
  const end: EndDecision = {
    kind: 'end',
    by,
    verdict: 'unrecorded',
    message,
    correct: 0,
    total,
    steps: stepsIn(rounds),
    turns: turns.length,
    successTurns: 0,
  }
  return { rounds, end }
}

const stepsIn = (rounds: readonly RoundDecision[]) => rounds.filter((round) => !round.isUncounted).length

function endOf(ended: Ended<End>, rules: Rules): End {
  switch (ended.by) {
    case 'text':
      return rules.finish(ended.text)
    case 'silence':
      return rules.finish(null)
    case 'limit':
      return { verdict: 'limit', message: ended.message }
    case 'answer':
      return ended.end
  }
}

function concluded(
  conversation: Conversation,
  rules: Rules,
  talk: Talk,
  { rounds, ended }: { rounds: RoundDecision[]; ended: Ended<End> },
): Conversed {
  const end = endOf(ended, rules)
  const by = ended.by === 'answer' ? 'policy' : ended.by
  if (end.verdict === 'unrecorded') return unrecorded(conversation, rounds, { by, message: end.message })
  const { turns, query } = conversation
  const { correct, successTurns, missing } = rules.standing()
  const dialogue = () => rules.history(talk.messages.slice(0, -1))
  return {
    rounds,
    end: {
      kind: 'end',
      by,
      ...end,
      correct,
      total: turns.flatMap(({ calls }) => calls).length,
      steps: stepsIn(rounds),
      turns: turns.length,
      successTurns: end.verdict === 'success' ? turns.length : successTurns,
      missing: end.verdict === 'success' ? [] : missing,
      ...(ended.by === 'text' &&
        judgeText(talk, ended.text, { query, dialogue, read: rules.manner.judge.read })),
    },
  }
}
