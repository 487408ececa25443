/**
 * A flow: one item's way through the pipeline as a pure state machine. The host fulfils the need of a state,
 * stores the next state, and goes on; a state has one need at a time, so its number names the job, and a
 * crash resumes from what is stored.
 */
import type { ExecutionResult } from '@stateeval/contracts'

/**
 * What the host brings back: the job's value, or that it was refused (no retry would help) or failed (after
 * retries). The need that was sent tells the value's type. `unrecorded`: recorded responses were to answer,
 * and none of them does.
 */
export type ItemAnswer =
  | { ok: true; value: unknown }
  | { ok: false; refused: boolean; reason: string; unrecorded?: true }

/** The next state, with a pause before its need where something failed; or how the item ended. */
export type Next<S, Out> = { state: S; afterMs?: number } | { done: Out }

export interface Flow<C, S, Out, Need> {
  /** The first state: computed anew whenever it is needed, so it is never stored. */
  start(context: C): Next<S, Out>
  resume(state: S, answer: ItemAnswer, context: C): Next<S, Out>
  /** What a state waits for: derived from it, never stored beside it. */
  need(state: S, context: C): Need
}

/**
 * How often one step is tried again when the infrastructure failed, and the pause before each try, in
 * milliseconds.
 */
export const pauses = [500, 3_000, 10_000] as const

/** What went wrong on our side. */
export interface Trouble {
  says: string
  /** It may be over later: nothing was refused. */
  passing: boolean
}

/** The same step once more, after its pause; null where that would not help, or was done often enough. */
export function again<S extends { tries: number; retries: number }>(
  state: S,
  { passing }: Trouble,
): { state: S; afterMs: number } | null {
  const afterMs = pauses[state.tries]
  if (!passing || afterMs === undefined) return null
  return { state: { ...state, tries: state.tries + 1, retries: state.retries + 1 }, afterMs }
}

export const troubleOf = ({ refused, reason }: Extract<ItemAnswer, { ok: false }>): Trouble => ({
  says: reason,
  passing: !refused,
})

/** What a job that runs code brought back: the runs, unless our side failed one of them. */
export function ranIn(answer: ItemAnswer): { result: ExecutionResult } | { trouble: Trouble } {
  if (!answer.ok) return { trouble: troubleOf(answer) }
  const result = answer.value as ExecutionResult
  for (const { ending, faults } of result.observations) {
    const says = ending.status === 'infrastructure' ? ending.reason : faults[0]
    if (says !== undefined) return { trouble: { says, passing: true } }
  }
  return { result }
}
