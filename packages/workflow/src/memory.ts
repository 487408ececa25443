/**
 * A replica's memory between messages. All of it may be lost: it saves reads of the store, and decides
 * nothing.
 */
import { LRUCache } from 'lru-cache'
import type { ItemCounts } from './host.ts'

/** The need that a partition's item in flight waits for, where this process sent it. */
interface PendingNeed {
  index: number
  rev: number
  state: unknown
}

/** The state of a partition at the sweep's last look. */
interface SeenPartition {
  index: number
  rev: number
  /** Sweeps in a row without a change. */
  unmoved: number
}

/**
 * The last look into the store for a stage: later readers share it while it is under way, and for a while
 * after.
 */
interface StoreCheck {
  at: number
  positions: ReadonlyMap<string, number>
  completion: Promise<void>
}

const maxCounts = 5000

export const createEngineMemory = () => ({
  /** The number of ended items of each partition, as far as this process knows. It never decreases. */
  positions: new Map<string, number>(),
  pending: new Map<string, PendingNeed>(),
  sightings: new Map<string, SeenPartition>(),
  /** Checks of the stores, by stage. */
  checks: new Map<string, StoreCheck>(),
  /** The sums of a partition up to an item, by item. */
  counts: new LRUCache<string, ItemCounts>({ max: maxCounts }),
  /** Stages that are being ended in this process. */
  ending: new Set<string>(),
  sweep: { begun: false, absent: new Set<string>(), failures: new Map<string, number>() },
})
export type EngineMemory = ReturnType<typeof createEngineMemory>

/** Drops the data of workflows. Their ids have no slash, and begin the keys of all of it. */
function forgetWhere(
  { positions, pending, sightings, checks, counts, sweep }: EngineMemory,
  isForgotten: (id: string) => boolean,
) {
  for (const map of [positions, pending, sightings, checks, counts, sweep.failures])
    for (const key of map.keys()) if (isForgotten(key.split('/', 1)[0]!)) map.delete(key)
  for (const id of sweep.absent) if (isForgotten(id)) sweep.absent.delete(id)
}

/** Drops the data of a workflow. */
export const forgetWorkflow = (memory: EngineMemory, id: string): void =>
  forgetWhere(memory, (other) => other === id)

/** Drops the data of all other workflows: they have ended here or in another replica. */
export const forgetOthers = (memory: EngineMemory, ids: ReadonlySet<string>): void =>
  forgetWhere(memory, (id) => !ids.has(id))
