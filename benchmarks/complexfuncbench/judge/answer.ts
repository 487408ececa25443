/**
 * Judging the final text: completeness and correctness, 0 to 2 (the paper's section 3.2; README, Published
 * behaviour 8).
 */
import type { Judge, Message } from '@stateeval/contracts'
import { type AnswerScore, briefly } from '../dialogue/decisions.ts'
import { NotScored, type Silence, silenceOf, type Talk, unexpected } from '../dialogue/talk.ts'
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
    const empty = { score: -2, because: 'the text is empty' }
    return { completeness: empty, correctness: empty }
  }
  return {
    completeness: askScore(talk, 'judge:completeness', () => completenessPrompt(query, text)),
    correctness: askScore(talk, 'judge:correctness', () => correctnessPrompt(dialogue(), text)),
  }
}

type Asked = { score: number | null; because: string } | { none: Silence }

function askScore({ fact }: Talk, role: Judge, messages: () => Message[]): AnswerScore {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const opinion = fact(
      () => ({ kind: 'consult', role, messages: messages(), attempt, parameters }),
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
      if (reason === 'failed') throw new NotScored(reason, detail)
      return { score: null, because: detail }
    }
    if (opinion.score !== null) return opinion
  }
  return { score: -1, because: `no score could be read from ${maxAttempts} answers` }
}
