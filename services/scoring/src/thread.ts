/** The thread of score-item.ts: the same benchmarks, without the service around them. */
import { findBenchmark } from '@stateeval/benchmarks'
import type { ScoreItem } from '@stateeval/contracts'
import { findScenario } from '@stateeval/scenarios'
import { scored } from './scored.ts'

const orThrow = <T>(one: T | null | undefined, what: string, id: string): T => {
  if (one === null || one === undefined) throw new Error(`there is no ${what} ${id} in this version`)
  return one
}
const scenario = (id: string) => orThrow(findScenario(id), 'scenario', id)

export function score({ item, artifacts }: { item: ScoreItem; artifacts: ReadonlyMap<string, Uint8Array> }) {
  const artifact = (hash: string) => orThrow(artifacts.get(hash), 'artifact', hash)
  return scored(item, {
    scenario,
    benchmark: (id) => orThrow(findBenchmark(id, { scenario, artifact }), 'benchmark', id),
  })
}
