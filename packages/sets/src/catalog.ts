import type { Benchmark, Scenario } from '@stateeval/program'

/** The scenarios and the kinds of benchmark of an installation's version. */
export interface SuiteCatalog {
  scenarios: readonly Scenario[]
  /** Throws where this version has none of that id. The caller has loaded the model that it names. */
  scenario: (id: string) => Scenario
  /** The same, with its stored model read if it has one; null where there is none. */
  loadScenario: (id: string) => Promise<Scenario | null>
  /** Every kind of benchmark, in the order of their list. */
  benchmarks: readonly Benchmark[]
  /** Throws where this version has none of that kind. */
  benchmark: (kind: string) => Benchmark
  findBenchmark: (kind: string) => Benchmark | null
}
