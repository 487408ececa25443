/**
 * A flow: one item's way through the pipeline as a pure state machine. The host fulfils the need of a state, stores the
 * next state, and goes on; a state has one need at a time, so its number names the job, and a crash resumes from what is stored.
 */
import type { ExecutionRequest, ExecutionResult, Json, ScoreRequest } from '@stateeval/contracts'
import type { Question } from '../asking/question.ts'

/** What a state waits for. Derived from the state, never stored beside it. */
export type Need =
  | { kind: 'generate'; payload: Json }
  | { kind: 'translate'; payload: Json }
  | { kind: 'execute'; payload: ExecutionRequest }
  | { kind: 'score'; payload: ScoreRequest }
  | { kind: 'ask'; payload: Question }

/** What the host brings back: the job's value, or that it was refused (no retry would help) or failed (after retries). */
export type Answer = { ok: true; value: Json } | { ok: false; refused: boolean; reason: string }

/** The next state, with a pause before its need where something failed; or how the item ended. */
export type Next<S, Out> = { state: S; afterMs?: number } | { done: Out }

export interface Flow<C, S, Out> {
  /** The first state: computed anew whenever it is needed, so it is never stored. */
  start(context: C): Next<S, Out>
  resume(state: S, answer: Answer, context: C): Next<S, Out>
  need(state: S, context: C): Need
}

/** How often one step is tried again when the infrastructure failed, and the pause before each try, in milliseconds. */
export const pauses = [500, 3_000, 10_000] as const

/** What went wrong on our side in a run; null where nothing did. */
export function faultOf(answer: Answer): string | null {
  if (!answer.ok) return answer.refused ? null : answer.reason
  const { observations } = answer.value as unknown as ExecutionResult
  for (const { ending, faults } of observations) {
    if (ending.status === 'infrastructure') return ending.reason
    if (faults.length > 0) return faults[0] as string
  }
  return null
}
