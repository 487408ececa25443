/** A question to a model with everything needed to ask it, on any replica, and how it ended. */
import type { PromptRefusal, Usage } from '@stateeval/contracts'
import { computeAnswerKey } from '../answer-key.ts'
import type { ModelAnswer, ModelRequest, NamedModel, RefusalKind } from '../request.ts'

export interface ModelQuestion extends Omit<ModelRequest, 'before' | 'settle' | 'spent'> {
  model: NamedModel
  /** Samples of one question are asked separately. Absent for a judge: everybody shares its answer. */
  sample?: number
  /** Numbers repeated questions to a judge. */
  attempt?: number
}

/** An answer with its cost. */
export interface AnsweredQuestion extends ModelAnswer {
  /** Usage that the endpoint reported, whoever paid for it; `usage` is what it cost here. */
  reported: Usage
  /** Tries after the first. */
  retries: number
  /** How often it was asked again because a kill cut the request short. */
  repeated: number
  /** The id that the answer is stored under. */
  storeKey: string
  /** True if it was stored already; then it cost nothing here. */
  kept: boolean
}

/** A question without an answer, by its key: after retries, or because the endpoint refused it. */
export interface UnansweredQuestion {
  key: string
  refused: boolean
  /** The endpoint refuses this prompt alone. */
  refusal?: PromptRefusal
  reason: string
  /** It was for recorded responses, and none of them answers it. */
  unrecorded?: true
}

/**
 * Why there is no answer: a refusal of the endpoint, `failed` after retries, `recorded` as unanswered,
 * `unrecorded`, or `stopped` by the signal. `held`: the account allows no further question.
 * `ended`: who asks needs no answer any more.
 */
export type SilenceCause = RefusalKind | 'failed' | 'recorded' | 'unrecorded' | 'stopped' | 'ended'
export type QuestionOutcome =
  | { kind: 'answered'; answer: AnsweredQuestion }
  | ({ kind: 'unanswered'; cause: SilenceCause } & Omit<UnansweredQuestion, 'key'>)

/** The key of its answer. */
export const computeQuestionKey = ({ model, sample, attempt, ...request }: ModelQuestion): string =>
  computeAnswerKey(model.settings, request, sample, attempt)

/** The note about a question without an answer. */
export const describeSilence = (
  question: ModelQuestion,
  { refused, refusal, reason, unrecorded }: Omit<UnansweredQuestion, 'key'>,
): UnansweredQuestion => ({
  key: computeQuestionKey(question),
  refused,
  ...(refusal && { refusal }),
  reason,
  ...(unrecorded && { unrecorded }),
})
