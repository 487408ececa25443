/** All that the service and its generator threads know of each other. */
import type { GenerationOptions } from '@stateeval/contracts'
import type { GeneratedProgram, GenerationSummary } from '@stateeval/generate'

/** What to generate. */
export type Order = GenerationOptions & { seed: number }
export type Report = { kind: 'program'; program: GeneratedProgram } | { kind: 'end'; summary: GenerationSummary }
