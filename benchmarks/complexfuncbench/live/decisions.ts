/** Decisions of a dialogue that the world led. */
import type { AnswerScore, BeginDecision, EndDecision } from '../dialogue/decisions.ts'

export interface LiveEnd extends Pick<EndDecision, 'by' | 'message'> {
  kind: 'live end'
  /**
   * Rounds in which the model called something; its calls; those that never reached the world or were
   * refused.
   */
  steps: number
  calls: number
  refused: number
  completeness?: AnswerScore
  correctness?: AnswerScore
}
export type LiveDecision = BeginDecision | LiveEnd
