/** The programs of one scenario, in one job: a generation has one recorder through all of its programs. */
import type { BuildOptions, GenerateResult, Json } from '@stateeval/contracts'
import { type Answer, type Flow, type Next, pauses } from './flow.ts'

export interface GenerationContext {
  scenario: string
  options: BuildOptions
}
export interface GenerationState {
  tries: number
}
export type GenerationOutcome = { ok: true; result: GenerateResult } | { ok: false; reason: string }

export const generationFlow: Flow<GenerationContext, GenerationState, GenerationOutcome> = {
  start: () => ({ state: { tries: 0 } }),
  resume(state, answer: Answer): Next<GenerationState, GenerationOutcome> {
    if (answer.ok) return { done: { ok: true, result: answer.value as unknown as GenerateResult } }
    if (answer.refused || state.tries >= pauses.length) return { done: { ok: false, reason: answer.reason } }
    return { state: { tries: state.tries + 1 }, afterMs: pauses[state.tries] ?? 0 }
  },
  need(_, { scenario, options: { programs, length, seed, strategy, controlFlow } }) {
    return { kind: 'generate', payload: { options: { scenario, count: programs, length, seed, strategy, controlFlow } } as Json }
  },
}
