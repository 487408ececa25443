/** The explicit list of worlds that benchmarks bring along; adding one is a line. */
import { createCaptureWorld } from '@stateeval/benchmark-wapiibench/backend'
import type { World } from '@stateeval/sandbox'

export const makeBenchmarkWorlds = (): World[] => [createCaptureWorld()]
