/**
 * The engine's data, and its few dependencies on the host: sending, storing, and a clock. It knows neither
 * benchmarks nor databases.
 */
import type { WorkflowItem, ItemStep } from './item.ts'

/**
 * A stage is `total` items in `partitions` chains: item k starts after item k − partitions has ended, which
 * limits the items in flight. With `atOnce`, so many chains are under way, or more where the host has room:
 * the next one begins when one has ended, or when there is more room.
 */
export interface WorkflowStage {
  total: number
  partitions: number
  atOnce?: number
}

/** Long work that passes through stages in sequence. The host stores it. */
export interface StagedWorkflow {
  id: string
  /** The current stage. */
  stage: string
  stages: Readonly<Record<string, WorkflowStage>>
}

/** Sums over ended items, by name. */
export type ItemCounts = Readonly<Record<string, number>>

/**
 * The answer to a need: a value, or why there is none. `refused`: no retry would help, with `refusal` if a
 * model refuses this prompt alone; `unrecorded`: recorded responses should have answered, but none did.
 */
export type ItemAnswer =
  | { ok: true; value: unknown }
  | { ok: false; refused: boolean; refusal?: 'context' | 'moderation'; reason: string; unrecorded?: true }

/** The next state, with a pause before its need is sent; or the item's outcome. */
export type NextState = { state: unknown; afterMs?: number } | { done: unknown }

/**
 * An item as a state machine: the same answers lead to the same states and needs on any replica. It may
 * load data that a state refers to, and store data for the next one.
 */
export interface ItemFlow<Need> {
  /** The first state; computed again whenever it is needed, never stored. */
  start(): NextState | Promise<NextState>
  resume(state: unknown, answer: ItemAnswer): NextState | Promise<NextState>
  need(state: unknown): Need | Promise<Need>
}

/** Parts of a kind of workflow. */
interface WorkflowDefinition<W extends StagedWorkflow, Need> {
  /** Throws where the item's data are missing or damaged; see `Host.isPermanent`. */
  item(workflow: W, stage: string, index: number): Promise<ItemFlow<Need>>
  /** Counts that an ended item adds to the stage's sums. */
  counts(outcome: unknown, workflow: W): ItemCounts
  /** Enters the next stage, or ends the workflow, once all items have ended. May be called again. */
  stageEnded(workflow: W, stage: string): Promise<void>
}

/** How items ended: written once each, by id. */
interface EndStore {
  /**
   * `counts` are the partition's sums up to this item, `ownCounts` what it added. False where the item had
   * ended before; that end stays.
   */
  put(itemId: string, counts: ItemCounts, outcome: unknown, ownCounts: ItemCounts): Promise<boolean>
  /** In the order of the ids; null where an item has not ended. */
  counts(itemIds: readonly string[]): Promise<(ItemCounts | null)[]>
  /** One after the other, as they may be large. */
  outcomes(itemIds: readonly string[]): AsyncIterable<{ outcome: unknown } | null>
}

export interface WorkflowHost<W extends StagedWorkflow, Need> {
  definition(workflow: W): WorkflowDefinition<W, Need>
  workflows: {
    /** The running workflow, at most about a second old; null where there is none, or where it has ended. */
    recent(id: string): Promise<W | null>
    /** The running workflow as it is stored now. */
    current(id: string): Promise<W | null>
    /** Ids of all that were begun and have not ended. */
    watched(): Promise<string[]>
    unwatch(id: string): Promise<void>
    watch(id: string): Promise<void>
    /** Ends a workflow that cannot continue. */
    fail(id: string, reason: string): Promise<void>
  }
  ends: EndStore
  /** How many items of a workflow the workers that are there can take; may change at any time. */
  room(): number
  /** Marks a stage's end; true for one caller only, among all replicas. */
  claimStageEnd(workflow: string, stage: string): Promise<boolean>
  /** Queues an item's start. */
  sendStart(item: WorkflowItem): Promise<void>
  /**
   * Sends a need; its answer must come back with the step and the state (null stands for the first state).
   */
  sendNeed(step: ItemStep, need: Need, state: unknown): Promise<void>
  /**
   * Runs work as a part of what began the workflow: each item is a separate branch, also where another item's
   * end starts it.
   */
  inTrace<T>(workflow: W, work: () => Promise<T>): Promise<T>
  /**
   * Rejects if a queue holds what it will never deliver: reminders of jobs that are queued already would
   * change nothing.
   */
  checkQueues(): Promise<void>
  /** Told in each sweep how many items of the current stage have ended. */
  noteProgress(workflow: W, items: number): void
  /** Runs work later in this process; it may be lost with it. */
  after(ms: number, work: () => void): void
  /** Monotonic milliseconds. */
  now(): number
  /** Tells whether an error means that a server is away, which passes. */
  isAway(error: unknown): boolean
  /** Tells whether retrying cannot mend an error, such as a damaged artifact. */
  isPermanent(error: unknown): boolean
}
