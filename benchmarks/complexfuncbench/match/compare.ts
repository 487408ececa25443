/**
 * A mapped prediction against its golden call: by rule, then by response, then by a judge; the first success
 * wins (section 3.1).
 */
import type { Message } from '@stateeval/contracts'
import type { Conversation } from '../conversation/conversation.ts'
import type { CallError, How } from '../dialogue/decisions.ts'
import type { Talk } from '../dialogue/talk.ts'
import type { Call } from '../functions/free.ts'
import { byJudge } from './by-judge.ts'
import { exactFault, firstDifference, isRuleMatch } from './equal.ts'
import type { ComparisonManner } from './manner.ts'
import { byResponse } from './respond.ts'

export interface Comparison {
  how?: Exclude<How, 'free'>
  error?: CallError | null
  tried: string[]
  /** The live API answered the prediction with an empty object. */
  emptyResponse?: true
}

/** Reasons for calls where there was no response to match it by, or no judgement. */
export const withoutResponse = {
  absent: 'response: no live API is configured',
  unrecorded: 'response: a request is not recorded',
}
export const withoutJudgement = {
  absent: 'judge: none is configured',
  unread: 'judge: not judged',
}
const says = {
  ...withoutResponse,
  'no answer': 'response: a call got no answer',
  different: 'response: the answers differ',
  empty: 'response: the answer to the prediction is empty',
}

/**
 * @param before what a judge reads of the dialogue
 * @param exact parameters whose values must be equal
 */
export function compare(
  talk: Talk,
  conversation: Conversation,
  before: readonly Message[],
  [prediction, golden]: readonly [Call, Call],
  { exact, manner }: { exact: readonly string[]; manner: ComparisonManner },
): Comparison {
  if (isRuleMatch(prediction, golden, manner.valuesEqual)) return { how: 'rule', tried: [] }
  const fault = exactFault(prediction, golden, exact, manner.valuesEqual)
  if (fault) return { error: fault, tried: [] }
  const response = byResponse(talk, prediction, golden)
  if (response === 'equal') return { how: 'response', tried: [] }
  const tried = [says[response]]
  const empty = response === 'empty' && { emptyResponse: true as const }
  const judged = byJudge(talk, conversation, { before, prediction, golden, manner: manner.judge })
  if ('absent' in judged) tried.push(withoutJudgement.absent)
  else if ('unread' in judged) tried.push(`${withoutJudgement.unread}: ${judged.unread}`)
  else if (judged.equal) return { how: 'judge', tried: [...tried, `judge: ${judged.because}`], ...empty }
  else tried.push(`judge: ${judged.because}`)
  return { error: firstDifference(prediction, golden, manner.differenceEqual), tried, ...empty }
}
