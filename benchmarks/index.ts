/** All kinds of benchmarks: what the folders of the list export as default. */
import type { Benchmark, BenchmarkHost, MakeBenchmark } from '@stateeval/program'
import { folders } from './folders.ts'

export const benchmarks: readonly MakeBenchmark[] = await Promise.all(
  folders.map(
    async (folder) => ((await import(`./${folder}/index.ts`)) as { default: MakeBenchmark }).default,
  ),
)

/**
 * All kinds of benchmarks for one host, by kind: made once, since they keep what they have prepared. Each may
 * look the others up.
 */
export function benchmarksFor(host: Omit<BenchmarkHost, 'benchmark'>): ReadonlyMap<string, Benchmark> {
  const byKind = new Map<string, Benchmark>()
  for (const make of benchmarks) {
    const benchmark = make({ ...host, benchmark: (kind) => byKind.get(kind) })
    byKind.set(benchmark.kind, benchmark)
  }
  return byKind
}
