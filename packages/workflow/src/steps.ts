/**
 * One step of one item: an answer leads its flow to the next state, whose need is sent. States are stored
 * nowhere: a need carries the state that waits for it, and its answer brings it back. What is lost with a
 * message or a process is repeated from the item's beginning, which is cheap, as whoever did a job recognises
 * its id. Only an item's end is stored, once.
 */
import { endItem } from './ends.ts'
import type { ItemAnswer, ItemFlow, StagedWorkflow } from './host.ts'
import { type WorkflowItem, formatItemId, type ItemStep } from './item.ts'
import { type EngineParts, formatPartitionKey } from './partitions.ts'

/** An item with what leads it. */
interface OpenItem<W extends StagedWorkflow, Need> {
  workflow: W
  flow: ItemFlow<Need>
  partition: string
}

/**
 * Returns null if the workflow has ended or left the stage. An item with damaged data ends its workflow,
 * because no retry would help; it can be resumed after a repair.
 */
export async function openItem<W extends StagedWorkflow, Need>(
  { host }: EngineParts<W, Need>,
  item: WorkflowItem,
): Promise<OpenItem<W, Need> | null> {
  const isAt = (one: W | null) => one?.stage === item.stage
  let workflow = await host.workflows.recent(item.workflow)
  // Another replica may have entered the stage, or resumed the workflow, a moment ago.
  if (!isAt(workflow)) workflow = await host.workflows.current(item.workflow)
  const stage = workflow?.stages[item.stage]
  if (!workflow || !stage || !isAt(workflow)) return null
  try {
    const flow = await host.definition(workflow).item(workflow, item.stage, item.index)
    return {
      workflow,
      flow,
      partition: formatPartitionKey(item.workflow, item.stage, item.index % stage.partitions),
    }
  } catch (error) {
    if (!host.isPermanent(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    await host.workflows.fail(item.workflow, `cannot continue at ${formatItemId(item)}: ${reason}`)
    return null
  }
}

async function sendNeed<W extends StagedWorkflow, Need>(
  { host, memory }: EngineParts<W, Need>,
  { flow, partition }: OpenItem<W, Need>,
  step: ItemStep,
  state: unknown,
  afterMs = 0,
): Promise<void> {
  memory.pending.set(partition, { index: step.item.index, rev: step.rev, state })
  const send = async () => host.sendNeed(step, await flow.need(state), step.rev === 0 ? null : state)
  if (afterMs === 0) return send()
  // Lost with the process, or with a broker that is away; then the sweep sends it.
  host.after(afterMs, () => void send().catch(() => undefined))
}

/**
 * Starts an item. If it ends immediately, its successor gets a separate message, so a long row of such
 * items delays nothing.
 */
export async function startItem<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  item: WorkflowItem,
): Promise<void> {
  const open = await openItem(parts, item)
  if (!open) return
  const next = await open.flow.start()
  if (!('done' in next)) return sendNeed(parts, open, { item, rev: 0 }, next.state, next.afterMs)
  const follower = await endItem(parts, open.workflow, item, next.done)
  const { host } = parts
  if (follower) await host.inTrace(open.workflow, () => host.sendStart(follower))
}

/** The state with which a need was sent; null if the item ends without one. */
export async function loadState<W extends StagedWorkflow, Need>(
  { flow }: OpenItem<W, Need>,
  carried: unknown,
): Promise<{ state: unknown } | null> {
  if (carried !== null) return { state: carried }
  const first = await flow.start()
  return 'done' in first ? null : { state: first.state }
}

/** Continues with the answer to a state's need. */
export async function advanceItem<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  open: OpenItem<W, Need>,
  { item, rev }: ItemStep,
  state: unknown,
  answer: ItemAnswer,
): Promise<void> {
  const next = await open.flow.resume(state, answer)
  if (!('done' in next)) return sendNeed(parts, open, { item, rev: rev + 1 }, next.state, next.afterMs)
  const follower = await endItem(parts, open.workflow, item, next.done)
  if (follower) await parts.host.inTrace(open.workflow, () => startItem(parts, follower))
}

/** Resends what an item waits for, if this process sent it; otherwise starts the item again. */
export async function remindItem<W extends StagedWorkflow, Need>(
  parts: EngineParts<W, Need>,
  item: WorkflowItem,
): Promise<void> {
  const open = await openItem(parts, item)
  if (!open) return
  const pendingNeed = parts.memory.pending.get(open.partition)
  if (pendingNeed?.index !== item.index) return startItem(parts, item)
  await sendNeed(parts, open, { item, rev: pendingNeed.rev }, pendingNeed.state)
}
