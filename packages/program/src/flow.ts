/**
 * A flow: the processing of one item as a pure state machine. The host meets a state's need, stores the
 * next state, and continues. A state has one need at a time, so its number names the job, and a crash
 * resumes from the stored state.
 */
import type { ExecutionResult, PromptRefusal } from '@stateeval/contracts'

/**
 * The host's answer: the job's value, or that it was refused (no retry would help) or failed (after
 * retries). The need determines the value's type. `refusal`: an endpoint refuses this prompt alone.
 * `unrecorded`: recorded responses should have answered, but none did.
 */
export type ItemAnswer =
  | { ok: true; value: unknown }
  | { ok: false; refused: boolean; refusal?: PromptRefusal; reason: string; unrecorded?: true }

/** The next state, with a pause before its need after a failure; or how the item ended. */
export type FlowTransition<S, Out> = { state: S; afterMs?: number } | { done: Out }

export interface StateFlow<C, S, Out, Need> {
  /** The first state: computed anew whenever it is needed, so it is never stored. */
  start(context: C): FlowTransition<S, Out>
  resume(state: S, answer: ItemAnswer, context: C): FlowTransition<S, Out>
  /** The need of a state: derived from it, never stored beside it. */
  need(state: S, context: C): Need
}

/**
 * How often a step is retried after infrastructure failures, and the pause before each retry, in
 * milliseconds.
 */
export const pauses = [500, 3_000, 10_000] as const

/** An infrastructure failure. */
export interface FlowTrouble {
  says: string
  /** It may be over later: nothing was refused. */
  passing: boolean
}

/** The same step again, after its pause; null if that would not help, or if the retries are used up. */
export function retryStep<S extends { tries: number; retries: number }>(
  state: S,
  { passing }: FlowTrouble,
): { state: S; afterMs: number } | null {
  const afterMs = pauses[state.tries]
  if (!passing || afterMs === undefined) return null
  return { state: { ...state, tries: state.tries + 1, retries: state.retries + 1 }, afterMs }
}

export const describeTrouble = ({ refused, reason }: Extract<ItemAnswer, { ok: false }>): FlowTrouble => ({
  says: reason,
  passing: !refused,
})

/** The result of a job that runs code: the runs, unless the infrastructure failed one of them. */
export function readRunResult(answer: ItemAnswer): { result: ExecutionResult } | { trouble: FlowTrouble } {
  if (!answer.ok) return { trouble: describeTrouble(answer) }
  const result = answer.value as ExecutionResult
  for (const { ending, faults } of result.observations) {
    const says = ending.status === 'infrastructure' ? ending.reason : faults[0]
    if (says !== undefined) return { trouble: { says, passing: true } }
  }
  return { result }
}
