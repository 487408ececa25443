/** The messages between the service and its generator threads. */
import type { GenerationOptions } from '@stateeval/contracts'
import type { GeneratedProgram, GenerationSummary } from '@stateeval/generate'

/** The options and the seed of an ordered generation. */
type GenerationOrder = GenerationOptions & { seed: number }

/** The data that a thread starts with. */
export interface ThreadData {
  order: GenerationOrder
  /** The model of the scenario, if it has one. */
  model?: Uint8Array
  /**
   * Number of programs taken. The thread learns it, so that it gets no further ahead than `ahead`: they wait
   * in memory.
   */
  takenCount: Int32Array<SharedArrayBuffer>
}
export const ahead = 100
/** What is known when all programs are drawn. */
export interface GenerationEnd {
  summary: GenerationSummary
  /** The pairs of APIs that programs with these options can contain, as the search finds them. */
  feasible: readonly string[]
}
export type ThreadReport = { kind: 'program'; program: GeneratedProgram } | ({ kind: 'end' } & GenerationEnd)
