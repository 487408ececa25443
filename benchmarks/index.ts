/** The explicit list of benchmarks; adding one is a folder and a line. */
import { stateeval } from '@stateeval/benchmark-stateeval'
import { wapiibench } from '@stateeval/benchmark-wapiibench'
import type { Benchmark, BenchmarkHost, MakeBenchmark } from '@stateeval/program'

export const benchmarks: readonly MakeBenchmark[] = [stateeval, wapiibench]

/** The benchmark of an id, with the scenarios that it may look up; null where there is none of that id. */
export const findBenchmark = (id: string, host: BenchmarkHost): Benchmark | null =>
  benchmarks.map((make) => make(host)).find((benchmark) => benchmark.id === id) ?? null
