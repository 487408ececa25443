/**
 * The engine's interface for its host: begin a stage, take starts and answers, sweep, and report progress.
 */
import { collectOutcomes } from './ends.ts'
import type { ItemAnswer, ItemCounts, WorkflowHost, StagedWorkflow } from './host.ts'
import type { WorkflowItem, ItemStep } from './item.ts'
import { createEngineMemory, forgetWorkflow } from './memory.ts'
import { type EngineParts, getStage, sumItems, computeWidth } from './partitions.ts'
import { advanceItem, openItem, startItem, loadState } from './steps.ts'
import { sweepAll, sweepWorkflow } from './sweep.ts'

/** An item that waits for an answer which is made within the host's own process. */
interface WaitingItem<W extends StagedWorkflow, Need> {
  workflow: W
  need: Need
  /** Continues the item. */
  answer(answer: ItemAnswer): Promise<void>
}

export interface WorkflowEngine<W extends StagedWorkflow, Need> {
  /** Begins the workflow's current stage. Repeated, it changes nothing. */
  beginStage(workflow: W): Promise<void>
  /** Takes a queued start. */
  start(item: WorkflowItem): Promise<void>
  /** Takes an answer with the state that its need carried; null stands for the first state. */
  answer(step: ItemStep, state: unknown, answer: ItemAnswer): Promise<void>
  /** The need that a step's state waits for; null where nobody waits any more. */
  waiting(step: ItemStep, state: unknown): Promise<WaitingItem<W, Need> | null>
  /**
   * Sums over the ended items of the current stage, `items` being their number. With `look`, as the store has
   * them: whoever reads them one after the other never sees them fall, whichever replicas answer. Else at
   * most two seconds old.
   */
  sums(workflow: W, how?: { look: boolean }): Promise<ItemCounts>
  /**
   * Collects what `part` takes of the outcomes of a stage, in order; with `partial`, of those items that have
   * ended.
   */
  outcomes<Part>(
    workflow: W,
    stage: string,
    part: (outcome: unknown) => Part,
    how?: { partial: boolean },
  ): Promise<Part[]>
  /** Sweeps all watched workflows, or one. */
  sweep(signal: AbortSignal): Promise<void>
  remind(workflow: W): Promise<void>
  /** Drops what is remembered of a workflow that has ended. */
  forget(id: string): void
}

export function createEngine<W extends StagedWorkflow, Need>(
  host: WorkflowHost<W, Need>,
): WorkflowEngine<W, Need> {
  const parts: EngineParts<W, Need> = { host, memory: createEngineMemory() }
  const openWithState = async (step: ItemStep, carried: unknown) => {
    const open = await openItem(parts, step.item)
    const at = open && (await loadState(open, carried))
    return at && { open, state: at.state }
  }
  return {
    async beginStage(workflow) {
      const width = computeWidth(parts, getStage(workflow))
      await host.inTrace(workflow, async () => {
        for (let index = 0; index < width; index++)
          await host.sendStart({ workflow: workflow.id, stage: workflow.stage, index })
      })
    },
    start: (item) => startItem(parts, item),
    async answer(step, carried, answer) {
      const openedItem = await openWithState(step, carried)
      if (openedItem) await advanceItem(parts, openedItem.open, step, openedItem.state, answer)
    },
    async waiting(step, carried) {
      const openedItem = await openWithState(step, carried)
      if (!openedItem) return null
      const { open, state } = openedItem
      return {
        workflow: open.workflow,
        need: await open.flow.need(state),
        answer: (answer) => advanceItem(parts, open, step, state, answer),
      }
    },
    sums: (workflow, how = { look: false }) => sumItems(parts, workflow, how),
    outcomes: (workflow, stage, part, { partial } = { partial: false }) =>
      collectOutcomes(parts, workflow, stage, part, partial),
    sweep: (signal) => sweepAll(parts, signal),
    remind: (workflow) => sweepWorkflow(parts, workflow, { force: true }),
    forget: (id) => forgetWorkflow(parts.memory, id),
  }
}
