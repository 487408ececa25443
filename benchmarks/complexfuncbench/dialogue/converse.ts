/** A whole dialogue as straight code: query, rounds of calls, the final text, and what judges say of it. */
import type { NotScored as Unscored } from '@stateeval/contracts'
import type { Conversation } from '../conversation/conversation.ts'
import { Crash } from '../format/published.ts'
import { judgeText } from '../judge/answer.ts'
import type { Runner } from '../runner/runner.ts'
import type { BeginDecision, EndDecision, RoundDecision } from './decisions.ts'
import { createPublished } from './published.ts'
import type { End, Rules } from './rules.ts'
import { createSound } from './sound.ts'
import { hear, NotScored, spoken, type Talk } from './talk.ts'

export const policies = ['published', 'sound'] as const
export type Policy = (typeof policies)[number]

/** The released code has no limits; these end a dialogue that would not. */
export const defaultLimits = { turns: 40, calls: 100, tokens: 200_000 }

export interface Conversed {
  rounds: readonly RoundDecision[]
  /** Absent where the dialogue could not be led to its end. */
  end?: EndDecision
  notScored?: Unscored
}

interface Parts {
  conversation: Conversation
  policy: Policy
  runner: Runner
  limits: BeginDecision['limits']
}

/**
 * Leads one dialogue to its end. What is missing unwinds it, as `run` of @stateeval/program has it.
 *
 * @param rounds gets what is decided, for who stops it on the way
 */
export function converse(parts: Parts, talk: Talk, rounds: RoundDecision[] = []): Conversed {
  const { conversation, policy, runner } = parts
  try {
    const rules =
      policy === 'published' ? createPublished(conversation, runner, talk) : createSound(conversation, talk)
    return concluded(conversation, rules, talk, { rounds, ...talkToEnd(parts, rules, talk, rounds) })
  } catch (error) {
    if (error instanceof Crash)
      return unrecorded(conversation, rounds, `the published evaluator crashes: ${error.message}`)
    if (error instanceof NotScored)
      return { rounds, notScored: { reason: error.reason, detail: error.message } }
    throw error
  }
}

/** Nothing is recorded of it, so it counts in no rate; the decisions up to there are kept. */
function unrecorded({ turns }: Conversation, rounds: RoundDecision[], detail: string): Conversed {
  const total = turns.flatMap(({ calls }) => calls).length
  const end: EndDecision = {
    kind: 'end',
    by: 'policy',
    verdict: 'unrecorded',
    message: detail,
    correct: 0,
    total,
    steps: rounds.length,
    turns: turns.length,
    successTurns: 0,
  }
  return { rounds, end, notScored: { reason: 'unrecorded', detail } }
}

interface Ended {
  end: End
  by: EndDecision['by']
  text: string | null
}

function talkToEnd(
  { conversation, runner, limits }: Parts,
  rules: Rules,
  talk: Talk,
  rounds: RoundDecision[],
): Ended {
  const opening = runner.open(conversation)
  let need = { ...opening, ...(runner.usesTools && { toolChoice: 'auto' as const }) }
  let tokens = 0
  let calls = 0
  for (let replies = 0; ; replies++) {
    const heard = hear(talk, need)
    if ('none' in heard) {
      const { reason, detail } = heard.none
      if (reason !== 'exhausted' || replies === 0) throw new NotScored(reason, detail)
      return { end: rules.finish(null), by: 'silence', text: null }
    }
    const { message, before } = spoken(talk, replies)
    const written = runner.read(message, conversation)
    const text = message.content
    if (written.length === 0) return { end: rules.finish(text), by: 'text', text }
    tokens += heard.tokens
    calls += written.length
    const exceeded =
      replies + 1 >= limits.turns
        ? `${limits.turns} replies`
        : calls > limits.calls
          ? `${limits.calls} calls`
          : tokens > limits.tokens
            ? `${limits.tokens} tokens`
            : null
    if (exceeded !== null) {
      const end: End = { verdict: 'limit', message: `the dialogue was ended at ${exceeded}` }
      return { end, by: 'limit', text: null }
    }
    const { decision, then } = rules.round(written, before)
    rounds.push(decision)
    if ('end' in then) return { end: then.end, by: 'policy', text: null }
    const { toolChoice } = need
    need = { append: runner.answer(written, then.answers), ...(toolChoice && { toolChoice }) }
  }
}

function concluded(
  conversation: Conversation,
  rules: Rules,
  talk: Talk,
  { rounds, end, by, text }: Ended & { rounds: RoundDecision[] },
): Conversed {
  if (end.verdict === 'unrecorded') return unrecorded(conversation, rounds, end.message)
  const { turns, query } = conversation
  const { correct, successTurns } = rules.standing()
  const dialogue = () => rules.history(talk.messages.slice(0, -1))
  return {
    rounds,
    end: {
      kind: 'end',
      by,
      ...end,
      correct,
      total: turns.flatMap(({ calls }) => calls).length,
      steps: rounds.length,
      turns: turns.length,
      successTurns: end.verdict === 'success' ? turns.length : successTurns,
      ...(text !== null && judgeText(talk, text, { query, dialogue })),
    },
  }
}
