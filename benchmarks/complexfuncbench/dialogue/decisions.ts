/**
 * Decisions of a dialogue, with reasons: kept with the candidate, and all that its score
 * needs.
 */
import type { AllLimits } from '@stateeval/program'

/** The paper's five types of errors (section 4.3.1). */
export const errorTypes = [
  'func_error',
  'param_missing',
  'hallucination',
  'value_error',
  'stop_early',
] as const
export type ErrorType = (typeof errorTypes)[number]

/** An error in the released code's own words: the type hallucination is `param_hallucination` there. */
export interface CallError {
  type: 'func_error' | 'param_missing' | 'param_hallucination' | 'value_error'
  says: string
}
export const getPaperType = ({ type }: CallError): ErrorType =>
  type === 'param_hallucination' ? 'hallucination' : type

/** The ComplexEval check that found a call right; `free`: the table of free calls. */
export type MatchWay = 'rule' | 'response' | 'judge' | 'free'

export interface CallDecision {
  name: string
  /** The golden call that it was mapped to, by its place in the path; null where there was none. */
  golden: number | null
  how?: MatchWay
  /** A free call that was counted before. */
  repeated?: true
  error?: CallError
  /** The kind of answer that the model got. */
  told: 'response' | 'format error' | 'fixed error'
  /** For a failed call of the right function: the golden parameters that are missing or differ. */
  wrong?: string[]
  /** Why a way of matching found nothing, in the order tried. */
  tried?: string[]
}

export interface CallMapping {
  by: 'embeddings' | 'lexical'
  /** True if lexical similarities would have mapped otherwise. */
  differs: boolean
  /** Why the embeddings model that is named gave no similarities, so that they are lexical. */
  because?: string
}

export interface RoundDecision {
  kind: 'round'
  /**
   * A call that could not be read, or that nobody expected, ended the dialogue: no step, as in the released
   * code.
   */
  isUncounted?: true
  calls: CallDecision[]
  mapping?: CallMapping
}

/** A judge's score of the final text; null: there is none, and why. */
export interface AnswerScore {
  /** 0, 1, 2; -1: no answer of the judge could be read; -2: the text is empty. */
  score: number | null
  because: string
  /** The judge scores a known text: that there is no score for this one is the text's fault. */
  isOwn?: true
  /** The judge is named, but gave no answer. */
  isAway?: true
}

/** Tells whether a judge is named for a text and gave no score, through no fault of the text. */
export const isNotJudged = (answer: AnswerScore | undefined): boolean =>
  answer !== undefined && !answer.isOwn && (answer.isAway === true || answer.score === -1)

/**
 * The score as a measure of the sample, which has none where no judge could be asked. A text that a judge can
 * make nothing of has the lowest one.
 */
export function selectMeasured(answer: AnswerScore | undefined): number | null {
  const { score = null, isOwn } = answer ?? {}
  if (score === null || score >= 0) return score
  return isOwn ? 0 : null
}

/** `unrecorded`: the published evaluator records nothing of such a sample, which fails here. */
export type EndVerdict = 'success' | ErrorType | 'limit' | 'unrecorded'

/** Facts that a scorer needs about how the dialogue was led. */
export interface BeginDecision {
  kind: 'begin'
  /** Version of the rules; absent before 6. */
  version?: string
  layout: string
  limits: AllLimits
}

export interface EndDecision {
  kind: 'end'
  /** Reason for the end: a final text, the policy, a limit, or that there was no further reply. */
  by: 'text' | 'policy' | 'limit' | 'silence'
  verdict: EndVerdict
  /** The end message: under `published` as the released code has it. */
  message: string
  correct: number
  total: number
  /** Rounds in which calls were compared, and the turns of the shortest path. */
  steps: number
  turns: number
  /** Turns of the path that were completed. */
  successTurns: number
  /** Golden calls that were still expected, by their place in the path; absent before version 6. */
  missing?: number[]
  completeness?: AnswerScore
  correctness?: AnswerScore
}
export type DialogueDecision = BeginDecision | RoundDecision | EndDecision

/**
 * A text that somebody else wrote, as far as decisions and facts hold it: an episode's state has 64 kB for
 * all of them.
 */
export const longestForeign = 300
export const cutForeign = (text: string, longest = longestForeign): string =>
  text.length <= longest ? text : `${text.slice(0, longest)} …`
/** Bytes of a judge's reason as JSON: it stands in the state, once for each call that was judged. */
const longestReason = 120

/** The beginning of a reason, as far as the state has room for it. */
export function shortenFault(reason: string): string {
  let bytes = 0
  let end = 0
  for (const character of reason) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2
    if (bytes > longestReason) return `${reason.slice(0, end)} …`
    end += character.length
  }
  return reason
}
