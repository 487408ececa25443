import type { Benchmark, Scenario } from '@stateeval/program'

/** The scenarios and the kinds of benchmark of an installation's version. */
export interface SuiteCatalog {
  scenarios: readonly Scenario[]
  /** Throws where this version has none of that id. */
  scenario: (id: string) => Scenario
  /** Every kind of benchmark, in the order of their list. */
  benchmarks: readonly Benchmark[]
  /** Throws where this version has none of that kind. */
  benchmark: (kind: string) => Benchmark
  findBenchmark: (kind: string) => Benchmark | null
}
