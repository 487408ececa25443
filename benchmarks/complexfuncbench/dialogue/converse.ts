/** A whole dialogue whose calls golden calls answer, and what judges say of its final text. */
import { readText } from '@stateeval/answers'
import type { UnscoredReason as Unscored } from '@stateeval/contracts'
import type { SampleConversation } from '../conversation/conversation.ts'
import { EvaluatorCrash } from '../format/published.ts'
import { judgeAnswerText } from '../judge/answer.ts'
import type { DialogueRunner } from '../runner/runner.ts'
import type { EndDecision, RoundDecision } from './decisions.ts'
import { createPublished } from './published.ts'
import type { RulesEnd, DialogueRules } from './rules.ts'
import { type DialogueEnding, type DialogueSession, talkToEnd } from './session.ts'
import { createSound } from './sound.ts'
import { NotScoredError, type ModelTalk } from './talk.ts'

export const policies = ['published', 'sound'] as const
export type JudgingPolicy = (typeof policies)[number]

interface ConversationResult {
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
export function leadConversation(
  { policy, ...led }: DialogueSession & { policy: JudgingPolicy },
  talk: ModelTalk,
  rounds: RoundDecision[] = [],
): ConversationResult {
  const session = { ...led, runner: adaptRunner(policy, led.runner) }
  const { conversation, runner } = session
  try {
    const rules =
      policy === 'published' ? createPublished(conversation, runner, talk) : createSound(conversation, talk)
    const ended = talkToEnd(session, talk, (writtenCalls, before) => {
      const { decision, then } = rules.round(writtenCalls, before)
      rounds.push(decision)
      return then
    })
    const spoken =
      policy === 'sound' && ended.by === 'text'
        ? { ...ended, text: removeMeaninglessParts(ended.text) }
        : ended
    return concludeConversation(conversation, rules, talk, { rounds, ended: spoken })
  } catch (error) {
    if (error instanceof EvaluatorCrash)
      return isUnrecorded(conversation, rounds, {
        by: 'policy',
        message: `the published evaluator crashes: ${error.message}`,
      })
    if (error instanceof NotScoredError)
      return { rounds, notScored: { reason: error.reason, detail: error.message } }
    throw error
  }
}

/** The meaning of a reply besides its thoughts, which are empty words where nothing follows them. */
const removeMeaninglessParts = (text: string): string => readText(text) ?? ''

/** The released runners read calls from all of a text; under `sound`, a call in a thought is none. */
export const adaptRunner = (policy: JudgingPolicy, runner: DialogueRunner): DialogueRunner =>
  policy === 'published'
    ? runner
    : {
        ...runner,
        read: (message, conversation) =>
          runner.read({ ...message, content: removeMeaninglessParts(message.content) }, conversation),
      }

/** The released code records nothing of it. That is no way out: it is a failed dialogue here. */
function isUnrecorded(
  { turns }: SampleConversation,
  rounds: RoundDecision[],
  { by, message }: Pick<EndDecision, 'by' | 'message'>,
): ConversationResult {
  const total = turns.flatMap(({ calls }) => calls).length
  const end: EndDecision = {
    kind: 'end',
    by,
    verdict: 'unrecorded',
    message,
    correct: 0,
    total,
    steps: countRoundSteps(rounds),
    turns: turns.length,
    successTurns: 0,
  }
  return { rounds, end }
}

const countRoundSteps = (rounds: readonly RoundDecision[]) =>
  rounds.filter((round) => !round.isUncounted).length

function concludeEnd(ended: DialogueEnding<RulesEnd>, rules: DialogueRules): RulesEnd {
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

function concludeConversation(
  conversation: SampleConversation,
  rules: DialogueRules,
  talk: ModelTalk,
  { rounds, ended }: { rounds: RoundDecision[]; ended: DialogueEnding<RulesEnd> },
): ConversationResult {
  const end = concludeEnd(ended, rules)
  const by = ended.by === 'answer' ? 'policy' : ended.by
  if (end.verdict === 'unrecorded') return isUnrecorded(conversation, rounds, { by, message: end.message })
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
      steps: countRoundSteps(rounds),
      turns: turns.length,
      successTurns: end.verdict === 'success' ? turns.length : successTurns,
      missing: end.verdict === 'success' ? [] : missing,
      ...(ended.by === 'text' &&
        judgeAnswerText(talk, ended.text, { query, dialogue, read: rules.manner.judge.read })),
    },
  }
}
