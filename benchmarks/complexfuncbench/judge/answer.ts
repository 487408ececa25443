/**
 * Judging the final text: completeness and correctness, 0 to 2 (the paper's section 3.2; README, Published
 * behaviour 8).
 */
import type { Judge, Message, Need } from '@stateeval/contracts'
import { type AnswerScore, briefly } from '../dialogue/decisions.ts'
import { answersKnown, NotScored, type Silence, silenceOf, type Talk, unexpected } from '../dialogue/talk.ts'
import { decodeAnswer, reasonIn, scoreIn } from './decode.ts'
import { completenessPrompt, correctnessPrompt } from './prompts.ts'

const maxAttempts = 10
/** The released code asks greedily. */
const parameters = { temperature: 0 }

/** @param dialogue what the correctness judge reads: the golden one, or the run's own */
export function judgeText(
  talk: Talk,
  text: string,
  { query, dialogue }: { query: string; dialogue: () => string },
): { completeness: AnswerScore; correctness: AnswerScore } {
  if (text === '') {
    const empty = { score: -2, because: 'the text is empty', isOwn: true } as const
    return { completeness: empty, correctness: empty }
  }
  return {
    completeness: askScore(talk, 'judge:completeness', text, (one) => completenessPrompt(query, one)),
    correctness: askScore(talk, 'judge:correctness', text, (one) =>
      correctnessPrompt(one === text ? dialogue() : '[]', one),
    ),
  }
}

/** A text that every judge can read. */
const knownText = 'I cannot help with that.'

type Asked = { score: number | null; because: string } | { none: Silence }

function askScore(talk: Talk, role: Judge, text: string, messages: (text: string) => Message[]): AnswerScore {
  const question = (about: string, attempt: number): Need => ({
    ...{ kind: 'consult', role, messages: messages(about), attempt, parameters },
  })
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const opinion = talk.fact(
      () => question(text, attempt),
      (event): Asked => {
        if (event.kind !== 'consulted') return silenceOf(event) ?? unexpected(event)
        const answer = decodeAnswer(event.text)
        return answer
          ? { score: scoreIn(answer), because: briefly(reasonIn(answer)) }
          : { score: null, because: '' }
      },
    )
    if ('none' in opinion) {
      const { reason, detail } = opinion.none
      if (answersKnown(talk, opinion.none, () => question(knownText, 0)))
        return { score: -1, because: briefly(detail), isOwn: true }
      if (reason === 'failed') throw new NotScored(reason, detail)
      return { score: null, because: detail }
    }
    if (opinion.score !== null) return opinion
  }
  const scoresKnown = talk.fact(
    () => question(knownText, 0),
    (event) => {
      const answer = event.kind === 'consulted' ? decodeAnswer(event.text) : null
      return answer !== null && scoreIn(answer) !== null
    },
  )
  const because = `no score could be read from ${maxAttempts} answers`
  return { score: -1, because, ...(scoresKnown && { isOwn: true }) }
}
