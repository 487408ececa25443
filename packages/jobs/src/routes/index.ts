/** Handlers that read, stop and delete jobs, whoever began them. */
import * as benchmarks from './benchmarks.ts'
import * as evaluations from './evaluations.ts'

export const jobHandlers = { ...benchmarks, ...evaluations }
