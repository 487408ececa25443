/** All that the service and its generator threads know of each other. */
import type { GeneratedProgram, GenerateOptions, GenerationSummary } from '@stateeval/generate'

export interface Order {
  scenario: string
  /** The scenario's own. */
  scenarioOptions?: Readonly<Record<string, number>>
  options: GenerateOptions
}
export type Report = { kind: 'program'; program: GeneratedProgram } | { kind: 'end'; summary: GenerationSummary }
