/**
 * The progress of a stage's partitions. Positions are cached, because partitions never go back. The store
 * is read only for partitions that have not moved here, because another replica may run them.
 */
import type { ItemCounts, WorkflowHost, WorkflowStage, StagedWorkflow } from './host.ts'
import { type WorkflowItem, formatItemId } from './item.ts'
import type { EngineMemory } from './memory.ts'

/** A host as seen by the parts of the engine, for any workflow and need. */
export interface EngineParts<W extends StagedWorkflow, Need> {
  host: WorkflowHost<W, Need>
  memory: EngineMemory
}

interface PartitionPosition {
  partition: number
  /** Its ended items. */
  done: number
  /** Its first item that has not ended; null where all have. */
  waiting: number | null
}

/** How old knowledge of other replicas' work may be, in milliseconds. */
const freshMs = 2000

export const getStage = ({ stage, stages }: StagedWorkflow): WorkflowStage =>
  stages[stage] ?? { total: 0, partitions: 1 }
export const formatPartitionKey = (workflow: string, stage: string, partition: number) =>
  `${workflow}/${stage}/${partition}`

export const addCounts = (a: ItemCounts, b: ItemCounts): ItemCounts => {
  const sum: Record<string, number> = { ...a }
  for (const [name, value] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + value
  return sum
}

/** How many partitions of a stage should be under way now. */
export const computeWidth = <W extends StagedWorkflow, Need>(
  { host }: EngineParts<W, Need>,
  { partitions, total, atOnce = partitions }: WorkflowStage,
): number => Math.min(partitions, total, Math.max(atOnce, host.room()))

const countPartitionItems = ({ total, partitions }: WorkflowStage, partition: number) =>
  Math.ceil((total - partition) / partitions)
const formatPartitionItemId = (workflow: StagedWorkflow, partition: number, n: number) =>
  formatItemId({
    workflow: workflow.id,
    stage: workflow.stage,
    index: partition + n * getStage(workflow).partitions,
  })

/** An item ended, so its partition has come at least that far. */
export function advancePosition(
  { positions }: EngineMemory,
  { workflow, stage, index }: WorkflowItem,
  partitions: number,
): void {
  const key = formatPartitionKey(workflow, stage, index % partitions)
  positions.set(key, Math.max(positions.get(key) ?? 0, Math.floor(index / partitions) + 1))
}

/** The sums of a partition up to each of these items; null for an item that has not ended. */
export async function loadCounts<W extends StagedWorkflow, Need>(
  { host, memory }: EngineParts<W, Need>,
  ids: readonly string[],
): Promise<(ItemCounts | null)[]> {
  const unknown = ids.filter((id) => !memory.counts.has(id))
  const storedCounts = new Map<string, ItemCounts>()
  if (unknown.length > 0)
    for (const [at, counts] of (await host.ends.counts(unknown)).entries())
      if (counts) {
        storedCounts.set(unknown[at] as string, counts)
        memory.counts.set(unknown[at] as string, counts)
      }
  return ids.map((id) => storedCounts.get(id) ?? memory.counts.get(id) ?? null)
}

const hasEnded = async <W extends StagedWorkflow, Need>(parts: EngineParts<W, Need>, id: string) =>
  (await loadCounts(parts, [id]))[0] !== null

/**
 * Searches a partition's first item that has not ended: by doubling, then by halving, so a fresh replica is
 * quick, too.
 */
async function searchPosition(
  ended: (n: number) => Promise<boolean>,
  knownPosition: number,
  length: number,
): Promise<number> {
  let low = knownPosition
  let step = 1
  while (low < length && (await ended(Math.min(length, low + step) - 1))) {
    low = Math.min(length, low + step)
    step *= 2
  }
  let high = Math.min(length, low + step) - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await ended(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Tells whether all items of a partition have ended. */
export async function isThrough<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  workflow: W,
  partition: number,
): Promise<boolean> {
  const length = countPartitionItems(getStage(workflow), partition)
  const key = formatPartitionKey(workflow.id, workflow.stage, partition)
  const { positions } = parts.memory
  if ((positions.get(key) ?? 0) >= length) return true
  const through = await hasEnded(parts, formatPartitionItemId(workflow, partition, length - 1))
  if (through) positions.set(key, length)
  return through
}

/** The positions of the current stage's partitions; with `look`, read from the store. */
export async function loadPositions<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  workflow: W,
  { look = false } = {},
): Promise<PartitionPosition[]> {
  const { host, memory } = parts
  const stage = getStage(workflow)
  const stageKey = `${workflow.id}/${workflow.stage}`
  const last = memory.checks.get(stageKey)
  // A check under way is waited for: what this process knew before may be less than what was told already.
  if (!look && last && host.now() - last.at < freshMs) await last.completion
  else {
    const check = {
      at: host.now(),
      positions: takeSnapshot(parts, workflow),
      completion: checkStore(parts, workflow, look ? undefined : last?.positions),
    }
    memory.checks.set(stageKey, check)
    try {
      await check.completion
    } catch (error) {
      if (memory.checks.get(stageKey) === check) memory.checks.delete(stageKey)
      throw error
    }
  }
  return listPartitionKeys(workflow).map((key, partition) => {
    const done = memory.positions.get(key) ?? 0
    return {
      partition,
      done,
      waiting: done < countPartitionItems(stage, partition) ? partition + done * stage.partitions : null,
    }
  })
}

const takeSnapshot = <W extends StagedWorkflow, Need>(
  { memory: { positions } }: EngineParts<W, Need>,
  workflow: W,
): ReadonlyMap<string, number> =>
  new Map(listPartitionKeys(workflow).map((key) => [key, positions.get(key) ?? 0]))

const listPartitionKeys = (workflow: StagedWorkflow): string[] => {
  const { partitions, total } = getStage(workflow)
  return Array.from({ length: Math.min(partitions, total) }, (_, at) =>
    formatPartitionKey(workflow.id, workflow.stage, at),
  )
}

/** Brings the positions of partitions that have not moved here since the last look up to the store's. */
async function checkStore<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  workflow: W,
  before: ReadonlyMap<string, number> | undefined,
): Promise<void> {
  const { positions } = parts.memory
  const stage = getStage(workflow)
  const positionOf = (key: string) => positions.get(key) ?? 0
  const still = listPartitionKeys(workflow)
    .map((key, partition) => ({ key, partition, length: countPartitionItems(stage, partition) }))
    .filter(
      ({ key, length }) =>
        positionOf(key) < length && (before === undefined || before.get(key) === positionOf(key)),
    )
  // Mostly none of them has moved elsewhere: one question for all.
  const movedCounts = await loadCounts(
    parts,
    still.map(({ partition, key }) => formatPartitionItemId(workflow, partition, positionOf(key))),
  )
  for (const [at, { partition, key, length }] of still.entries()) {
    if (!movedCounts[at]) continue
    const position = await searchPosition(
      (n) => hasEnded(parts, formatPartitionItemId(workflow, partition, n)),
      positionOf(key),
      length,
    )
    // Meanwhile it may have moved on here.
    positions.set(key, Math.max(position, positionOf(key)))
  }
}

/** Sums over the ended items of the current stage; `items` is their number. */
export async function sumItems<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  workflow: W,
  how: { look: boolean },
): Promise<ItemCounts> {
  const { partitions } = getStage(workflow)
  const last = (await loadPositions(parts, workflow, how)).flatMap(({ partition, done }) =>
    done > 0
      ? formatItemId({
          workflow: workflow.id,
          stage: workflow.stage,
          index: partition + (done - 1) * partitions,
        })
      : [],
  )
  return (await loadCounts(parts, last)).reduce<ItemCounts>((sum, counts) => addCounts(sum, counts ?? {}), {
    items: 0,
  })
}
