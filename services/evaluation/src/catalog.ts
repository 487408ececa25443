/** The scenarios and the kinds of benchmark of this version, by their ids. */
import { benchmarksFor } from '@stateeval/benchmarks'
import { findScenario, loadScenario, scenarios } from '@stateeval/scenarios'
import type { SuiteCatalog } from '@stateeval/sets'

/** Returns a value that the code expects to exist; throws if it does not. */
export function requireValue<T>(value: T | undefined, what: string, id: string): T {
  if (value === undefined) throw new Error(`this version has no ${what} ${id}`)
  return value
}

/**
 * `artifact` returns the artifacts that cases name; the caller has loaded them together with the case.
 * `load` reads one that may be missing.
 */
export function createCatalog(
  artifact: (hash: string) => Uint8Array,
  load: (hash: string) => Promise<Uint8Array | null> = () => Promise.resolve(null),
): SuiteCatalog {
  const scenario = (id: string) => requireValue(findScenario(id, artifact) ?? undefined, 'scenario', id)
  const byKind = benchmarksFor({ scenario, artifact })
  return {
    scenarios,
    scenario,
    loadScenario: (id) => loadScenario(id, load),
    benchmarks: [...byKind.values()],
    benchmark: (kind) => requireValue(byKind.get(kind), 'benchmark', kind),
    findBenchmark: (kind) => byKind.get(kind) ?? null,
  }
}
