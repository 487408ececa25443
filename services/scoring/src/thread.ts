/** The thread of score-item.ts: the same benchmarks, without the rest of the service. */
import { benchmarksFor } from '@stateeval/benchmarks'
import type { ScoreItem } from '@stateeval/contracts'
import { findScenario } from '@stateeval/scenarios'
import { scored } from './scored.ts'

const orThrow = <T>(one: T | null | undefined, what: string, id: string): T => {
  if (one === null || one === undefined) throw new Error(`this version has no ${what} ${id}`)
  return one
}
const scenario = (id: string) => orThrow(findScenario(id), 'scenario', id)

/** What the case of the present item needs. */
let files: ReadonlyMap<string, Uint8Array> = new Map()
const byKind = benchmarksFor({ scenario, artifact: (hash) => orThrow(files.get(hash), 'artifact', hash) })
const benchmark = (kind: string) => orThrow(byKind.get(kind), 'benchmark', kind)

export function score({ item, artifacts }: { item: ScoreItem; artifacts: ReadonlyMap<string, Uint8Array> }) {
  files = artifacts
  return scored(item, { scenario, benchmark })
}
