/** How sets of a benchmark are built from programs. */
import type { Benchmark, Build } from '@stateeval/program'

export function buildOf(
  context: { benchmark(id: string): Benchmark },
  kind: string,
): { benchmark: Benchmark; build: Build } {
  const benchmark = context.benchmark(kind)
  if (!benchmark.build) throw new Error(`sets of ${kind} are not built from programs in this version`)
  return { benchmark, build: benchmark.build }
}
