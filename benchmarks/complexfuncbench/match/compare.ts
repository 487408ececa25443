/**
 * A mapped prediction against its golden call: by rule, then by response, then by a judge; the first success
 * wins (section 3.1).
 */
import type { Message } from '@stateeval/contracts'
import type { SampleConversation } from '../conversation/conversation.ts'
import type { CallError, MatchWay } from '../dialogue/decisions.ts'
import type { ModelTalk } from '../dialogue/talk.ts'
import type { PythonCall } from '../functions/free.ts'
import { judgeCallPair } from './by-judge.ts'
import { findExactFault, findFirstDifference, isRuleMatch } from './equal.ts'
import type { ComparisonManner } from './manner.ts'
import { judgeByResponse } from './respond.ts'

interface CallComparison {
  how?: Exclude<MatchWay, 'free'>
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
  talk: ModelTalk,
  conversation: SampleConversation,
  before: readonly Message[],
  [prediction, golden]: readonly [PythonCall, PythonCall],
  { exact, manner }: { exact: readonly string[]; manner: ComparisonManner },
): CallComparison {
  if (isRuleMatch(prediction, golden, manner.valuesEqual)) return { how: 'rule', tried: [] }
  const fault = findExactFault(prediction, golden, exact, manner.valuesEqual)
  if (fault) return { error: fault, tried: [] }
  const response = judgeByResponse(talk, prediction, golden)
  if (response === 'equal') return { how: 'response', tried: [] }
  const tried = [says[response]]
  const empty = response === 'empty' && { emptyResponse: true as const }
  const judged = judgeCallPair(talk, conversation, { before, prediction, golden, manner: manner.judge })
  if ('absent' in judged) tried.push(withoutJudgement.absent)
  else if ('unread' in judged) tried.push(`${withoutJudgement.unread}: ${judged.unread}`)
  else if (judged.equal) return { how: 'judge', tried: [...tried, `judge: ${judged.because}`], ...empty }
  else tried.push(`judge: ${judged.because}`)
  return { error: findFirstDifference(prediction, golden, manner.differenceEqual), tried, ...empty }
}
