/**
 * Judging the final text: completeness and correctness, 0 to 2 (the paper's section 3.2; README, Published
 * behaviour 8).
 */
import type { JudgePart, Message, HostNeed } from '@stateeval/contracts'
import { type AnswerScore, shortenFault } from '../dialogue/decisions.ts'
import {
  hasRefusalAnswer,
  type PartySilence,
  findSilence,
  type ModelTalk,
  throwUnexpected,
} from '../dialogue/talk.ts'
import type { JudgeManner } from '../match/manner.ts'
import { readReason, readScore } from './decode.ts'
import { createCompletenessPrompt, createCorrectnessPrompt } from './prompts.ts'

const maxAttempts = 10
/** The released code asks greedily. */
const parameters = { temperature: 0 }

interface JudgedText {
  query: string
  /** The dialogue that the correctness judge reads: the golden dialogue, or the run's own. */
  dialogue: () => string
  read: JudgeManner['read']
}

/** No verdict needs these scores, so a judge that is away takes nothing but them from a sample. */
export function judgeAnswerText(
  talk: ModelTalk,
  text: string,
  { query, dialogue, read }: JudgedText,
): { completeness: AnswerScore; correctness: AnswerScore } {
  if (text === '') {
    const empty = { score: -2, because: 'the text is empty', isOwn: true } as const
    return { completeness: empty, correctness: empty }
  }
  return {
    completeness: askScore(talk, {
      role: 'judge:completeness',
      text,
      read,
      messages: (one) => createCompletenessPrompt(query, one),
    }),
    correctness: askScore(talk, {
      role: 'judge:correctness',
      text,
      read,
      messages: (one) => createCorrectnessPrompt(one === text ? dialogue() : '[]', one),
    }),
  }
}

/** A text that every judge can read. */
const knownText = 'I cannot help with that.'

type AnswerScoring = { score: number | null; because: string } | { none: PartySilence }

interface ScoreQuestion extends Pick<JudgedText, 'read'> {
  role: JudgePart
  text: string
  messages: (text: string) => Message[]
}

function askScore(talk: ModelTalk, { role, text, read, messages }: ScoreQuestion): AnswerScore {
  const question = (about: string, attempt: number): HostNeed => ({
    ...{ kind: 'consult', role, messages: messages(about), attempt, parameters },
  })
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const opinion = talk.fact(
      () => question(text, attempt),
      (event): AnswerScoring => {
        if (event.kind !== 'consulted') return findSilence(event) ?? throwUnexpected(event)
        const answer = read(event.text, 'score')
        return answer
          ? { score: readScore(answer), because: shortenFault(readReason(answer)) }
          : { score: null, because: '' }
      },
    )
    if ('none' in opinion) {
      const { reason, detail } = opinion.none
      if (hasRefusalAnswer(talk, opinion.none, () => question(knownText, 0)))
        return { score: -1, because: shortenFault(detail), isOwn: true }
      return {
        score: null,
        because: shortenFault(detail),
        ...(reason !== 'not_configured' && { isAway: true }),
      }
    }
    if (opinion.score !== null) return opinion
  }
  const scoresKnown = talk.fact(
    () => question(knownText, 0),
    (event) => {
      const answer = event.kind === 'consulted' ? read(event.text, 'score') : null
      return answer !== null && readScore(answer) !== null
    },
  )
  const because = `no score could be read from ${maxAttempts} answers`
  return { score: -1, because, ...(scoresKnown && { isOwn: true }) }
}
