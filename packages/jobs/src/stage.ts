/** An owner's stages: their plans, their beginning, their progress, and how their items ended. */
import type { JsonValue, JobPayload, Usage } from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import type { ProjectArtifacts, MessageBus, FixedDocuments } from '@stateeval/service-kit'
import {
  type ItemCounts,
  type WorkflowEngine,
  type WorkflowItem,
  type ItemFlow,
  formatItemId,
  type WorkflowStage,
} from '@stateeval/workflow'
import type { ItemWindow } from './capacity.ts'
import type { WaitWatch } from './waits.ts'
import type { JobOwner } from './owner.ts'
import type { OwnerStore } from './owners.ts'

/** How an item ended, with the sums of its partition up to it. */
export interface ItemEnd {
  counts: ItemCounts
  payload: JobPayload
}

/** The counts of items, the same for evaluations and builds. */
export interface StageProgress {
  items: number
  passed: number
  notScored: number
  /** Failed as their code ran into its time limit. */
  timeouts: number
  /** Usage of models, by questions. */
  requests: number
  promptTokens: number
  completionTokens: number
  /** Replies whose tokens are estimated. */
  estimated: number
  /** The same of those who play further parts. */
  partyRequests: number
  partyPromptTokens: number
  partyCompletionTokens: number
}
export const noProgress: StageProgress = {
  items: 0,
  passed: 0,
  notScored: 0,
  timeouts: 0,
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  estimated: 0,
  partyRequests: 0,
  partyPromptTokens: 0,
  partyCompletionTokens: 0,
}

/** The store of items' outcomes. */
export interface ItemEnds {
  results: FixedDocuments<ItemEnd>
  artifacts: ProjectArtifacts
}
/** How these items ended, in order; null for an item that has not ended. */
export async function* loadOutcomes<T>(
  { results, artifacts }: ItemEnds,
  items: readonly WorkflowItem[],
): AsyncGenerator<T | null> {
  for (const end of await results.many(items.map(formatItemId)))
    yield end && ((await artifacts.unpack(end.payload)) as T)
}
/** How an item ended; null if it has not. */
export async function loadOutcome<T>(
  { results, artifacts }: ItemEnds,
  item: WorkflowItem,
): Promise<T | null> {
  const end = await results.get(formatItemId(item))
  return end && ((await artifacts.unpack(end.payload)) as T)
}

/** A stage whose items in flight follow the room that there is, within the window. */
export function createStage(total: number, { least, most }: ItemWindow): WorkflowStage {
  const partitions = Math.max(1, Math.min(total, most))
  return { total, partitions, ...(least < partitions && { atOnce: least }) }
}

type StageEngine = Pick<WorkflowEngine<JobOwner, unknown>, 'beginStage' | 'outcomes' | 'sums'>

/** Begins stages, and notifies watchers. */
export interface StageStarter {
  engine: StageEngine
  bus: Pick<MessageBus, 'publishEvent'>
}
/** Begins the stage that an owner has entered, and notifies watchers. */
export async function beginStage({ engine, bus }: StageStarter, owner: JobOwner): Promise<void> {
  await engine.beginStage(owner)
  await bus.publishEvent(owner.entity, owner.id, 'stage', {
    stage: owner.stage,
    total: owner.stages[owner.stage]?.total ?? 0,
  } satisfies JsonValue)
}

/** Enters and begins the next stage. Does nothing if another worker did, or if the owner has ended. */
export async function enterStage<O extends JobOwner>(
  context: StageStarter & { owners: OwnerStore },
  owner: O,
  next: { stage: string; total: number; window: ItemWindow },
  change: Partial<O> = {},
): Promise<void> {
  const { stage, total, window } = next
  const stages = { ...owner.stages, [stage]: createStage(total, window) }
  const entered = await context.owners.enter<O>(owner, owner.stage, { ...change, stage, stages })
  if (entered) await beginStage(context, entered)
}

/** Reads the outcomes of a stage. */
export interface OutcomeReader {
  engine: StageEngine
}
/**
 * Collects what `part` takes of each outcome of a stage, in order, so that the rest never piles up; with
 * `partial`, only of ended items.
 */
const outcomes =
  (how: { partial: boolean }) =>
  <T, Part = T>(
    { engine }: OutcomeReader,
    owner: JobOwner,
    stage: string,
    part: (outcome: T) => Part = (outcome) => outcome as T & Part,
  ): Promise<Part[]> =>
    engine.outcomes(owner, stage, (outcome) => part(outcome as T), how)

/** The outcomes of an ended stage; throws if an item has not ended. */
export const outcomesOf = outcomes({ partial: false })
/** The outcomes of the ended items of a running or stopped stage. */
export const outcomesSoFar = outcomes({ partial: true })

/** Reads the progress of items. */
export interface ProgressReader {
  engine: StageEngine
}
/** Reads what a resource shows besides its owner. */
export interface ResourceReader extends ProgressReader {
  waits: Pick<WaitWatch, 'reason'>
}
/** The progress of an owner's current stage. */
export const loadProgress = async (
  { engine }: ProgressReader,
  owner: JobOwner,
  how?: { look: boolean },
): Promise<StageProgress> => ({
  ...noProgress,
  ...(await engine.sums(owner, how)),
})

/**
 * A kind of owner for the engine: how its items advance, what is counted, and what follows a finished
 * stage.
 */
export interface OwnerPlan<O extends JobOwner> {
  item(owner: O, stage: string, index: number): Promise<ItemFlow<ItemNeed>>
  /** Counts that one ended item adds to the progress of its stage. */
  counts(
    outcome: unknown,
    owner: O,
  ): Pick<StageProgress, 'passed' | 'notScored'> & Usage & Partial<StageProgress>
  /** All items of the stage have ended: enters the next one, or ends. May be called again. */
  finished(owner: O, stage: string): Promise<void>
}
