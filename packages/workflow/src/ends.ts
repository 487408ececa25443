/**
 * Items end once, and are counted once. An end is inserted with the sums of its partition so far. Nothing
 * is counted by adding to a shared number, and any replica knows the progress of each partition.
 */
import type { StagedWorkflow } from './host.ts'
import { type WorkflowItem, formatItemId } from './item.ts'
import type { EngineMemory } from './memory.ts'
import {
  addCounts,
  advancePosition,
  loadCounts,
  isThrough,
  type EngineParts,
  formatPartitionKey,
  getStage,
  computeWidth,
} from './partitions.ts'

/**
 * Stores how an item ended. Returns the partition's next item, or the first one of the next partition; null
 * if it is being run already.
 */
export async function endItem<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  workflow: W,
  item: WorkflowItem,
  outcome: unknown,
): Promise<WorkflowItem | null> {
  const { host, memory } = parts
  const { total, partitions } = getStage(workflow)
  const { index } = item
  const id = formatItemId(item)
  const [before = null] =
    index < partitions
      ? [{}]
      : await loadCounts(parts, [formatItemId({ ...item, index: index - partitions })])
  // An item starts only after the end of the one before it was stored.
  if (before === null) throw new Error(`${id} ended before the item that it follows`)
  const ownCounts = { items: 1, ...host.definition(workflow).counts(outcome, workflow) }
  const counts = addCounts(before, ownCounts)
  const first = await host.ends.put(id, counts, outcome, ownCounts)
  if (first) memory.counts.set(id, counts)
  advancePosition(memory, item, partitions)
  if (index + partitions >= total) {
    const next = (index % partitions) + computeWidth(parts, getStage(workflow))
    if (next < partitions && !hasBegun(memory, workflow, next)) return { ...item, index: next }
    await endPartition(parts, workflow, item.stage)
    return null
  }
  const pendingNeed = memory.pending.get(formatPartitionKey(item.workflow, item.stage, index % partitions))
  return !first && pendingNeed && pendingNeed.index > index ? null : { ...item, index: index + partitions }
}

/** Tells whether this process knows that a partition of the current stage has begun. */
function hasBegun(
  { positions, pending }: EngineMemory,
  { id, stage }: StagedWorkflow,
  partition: number,
): boolean {
  const key = formatPartitionKey(id, stage, partition)
  return pending.has(key) || (positions.get(key) ?? 0) > 0
}

/** A partition has ended; the stage has, when all have. */
async function endPartition<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  workflow: W,
  stage: string,
): Promise<void> {
  const { partitions } = getStage(workflow)
  for (let partition = 0; partition < partitions; partition++)
    if (!(await isThrough(parts, workflow, partition))) return
  // The last two partitions may both see that all have ended; one continues. If that one dies, the sweep
  // does.
  if (await parts.host.claimStageEnd(workflow.id, stage)) await endStage(parts, workflow, stage)
}

/** Lets the host continue after a stage; only once at a time in a process, because that may take long. */
export async function endStage<W extends StagedWorkflow, Need>(
  { host, memory }: EngineParts<W, Need>,
  workflow: W,
  stage: string,
): Promise<void> {
  const key = `${workflow.id}/${stage}`
  if (memory.ending.has(key)) return
  memory.ending.add(key)
  try {
    await host.definition(workflow).stageEnded(workflow, stage)
  } finally {
    memory.ending.delete(key)
  }
}

const maxTogether = 256

/**
 * The outcomes of a stage in the order of its items; `part` extracts the needed part of each, so memory
 * stays bounded. Throws if an item has not ended, unless `partial` allows skipping it.
 */
export async function collectOutcomes<W extends StagedWorkflow, Need, Part>(
  { host }: EngineParts<W, Need>,
  workflow: W,
  stage: string,
  part: (outcome: unknown) => Part,
  partial = false,
): Promise<Part[]> {
  const { total = 0 } = workflow.stages[stage] ?? {}
  const parts: Part[] = []
  for (let from = 0; from < total; from += maxTogether) {
    const ids = Array.from({ length: Math.min(maxTogether, total - from) }, (_, n) =>
      formatItemId({ workflow: workflow.id, stage, index: from + n }),
    )
    let at = 0
    for await (const end of host.ends.outcomes(ids)) {
      if (end) parts.push(part(end.outcome))
      else if (!partial) throw new Error(`${ids[at]} has no outcome`)
      at++
    }
  }
  return parts
}
