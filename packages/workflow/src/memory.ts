/**
 * A replica's memory between messages. All of it may be lost: it saves reads of the store, and decides
 * nothing.
 */
import { LRUCache } from 'lru-cache'
import type { Counts } from './host.ts'

/** The need that a partition's item in flight waits for, where this process sent it. */
interface Pending {
  index: number
  rev: number
  state: unknown
}

/** What the sweep saw last of a partition. */
interface Seen {
  index: number
  rev: number
  /** Sweeps in a row without a change. */
  unmoved: number
}

/**
 * The last look into the store for a stage: later readers share it while it is under way, and for a while
 * after.
 */
interface Check {
  at: number
  positions: ReadonlyMap<string, number>
  completion: Promise<void>
}

const maxCounts = 5000

export const createEngineMemory = () => ({
  /** By partition: its ended items, as far as this process knows. Never goes back. */
  positions: new Map<string, number>(),
  pending: new Map<string, Pending>(),
  sightings: new Map<string, Seen>(),
  /** By stage. */
  checks: new Map<string, Check>(),
  /** By item: the sums of its partition up to it. */
  counts: new LRUCache<string, Counts>({ max: maxCounts }),
  /** Stages that are being ended in this process. */
  ending: new Set<string>(),
  sweep: { begun: false, absent: new Set<string>(), failures: new Map<string, number>() },
})
export type EngineMemory = ReturnType<typeof createEngineMemory>

/** Drops the data of a workflow. */
export function forgetWorkflow({ positions, pending, sightings, checks }: EngineMemory, id: string): void {
  for (const map of [positions, pending, sightings, checks])
    for (const key of map.keys()) if (key.startsWith(`${id}/`)) map.delete(key)
}
