/** All kinds of benchmarks: what the folders of the list export as default. */
import type { Benchmark, BenchmarkHost, MakeBenchmark } from '@stateeval/program'
import { folders } from './folders.ts'

export const benchmarks: readonly MakeBenchmark[] = await Promise.all(
  folders.map(
    async (folder) => ((await import(`./${folder}/index.ts`)) as { default: MakeBenchmark }).default,
  ),
)

/** The benchmark of an id, with the scenarios that it may look up; null where there is none of that id. */
export const findBenchmark = (id: string, host: BenchmarkHost): Benchmark | null =>
  benchmarks.map((make) => make(host)).find((benchmark) => benchmark.id === id) ?? null
