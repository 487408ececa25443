/** All kinds of benchmarks: what the folders of the list export as default. */
import type { Benchmark, BenchmarkHost, MakeBenchmark } from '@stateeval/program'
import { folders } from './folders.ts'

export const benchmarks: readonly MakeBenchmark[] = await Promise.all(
  folders.map(
    async (folder) => ((await import(`./${folder}/index.ts`)) as { default: MakeBenchmark }).default,
  ),
)

/** All kinds of benchmarks for one host, by kind: made once, since they keep what they have prepared. */
export const benchmarksFor = (host: BenchmarkHost): ReadonlyMap<string, Benchmark> =>
  new Map(benchmarks.map((make) => make(host)).map((benchmark) => [benchmark.kind, benchmark]))
