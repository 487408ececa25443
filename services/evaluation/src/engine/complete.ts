/**
 * Items end once, and are counted once. A stage's items form `window` lanes, each a chain: when item k is done its
 * outcome is stored with the lane's tally so far, and item k + window starts. So there are never more than `window` in
 * flight, nothing is counted by adding to a shared number, and any replica can tell how far each lane has come.
 */
import { type Json, type Payload, subjects } from '@stateeval/contracts'
import type { EvaluationContext } from '../context.ts'
import type { Owner, Stage } from '../owners/owner.ts'
import { type Item, itemId } from './item.ts'
import { advanceLane, isThrough, placeKey } from './progress.ts'
import { startMessage } from './step.ts'

/** Sums over a lane, from its first item to this one. */
export interface Tally {
  done: number
  passed: number
  notScored: number
  /** Failed as their code ran into its time limit; what was stored by earlier versions doesn't count them. */
  timeouts?: number
  /** What questions to models used. */
  requests: number
  promptTokens: number
  completionTokens: number
}
export const noTally: Tally = { done: 0, passed: 0, notScored: 0, timeouts: 0, requests: 0, promptTokens: 0, completionTokens: 0 }
export const plus = (a: Tally, b: Omit<Tally, 'done'> & { done?: number }): Tally => ({
  done: a.done + (b.done ?? 1),
  passed: a.passed + b.passed,
  notScored: a.notScored + b.notScored,
  timeouts: (a.timeouts ?? 0) + (b.timeouts ?? 0),
  requests: a.requests + b.requests,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
})

/** How an item ended. */
export interface Ended {
  tally: Tally
  payload: Payload
}

export const stageOf = (owner: Owner): Stage => owner.stages[owner.stage] ?? { total: 0, window: 1 }
const startItem = (context: EvaluationContext, item: Item) => context.send(subjects.step, startMessage(item))

/** Stores how an item ended, and gives the one that comes after it. */
export async function complete(context: EvaluationContext, owner: Owner, item: Item, out: unknown): Promise<Item | null> {
  const { total, window } = stageOf(owner)
  const { index } = item
  const before = index < window ? noTally : await context.tallies(itemId({ ...item, index: index - window }))
  const tally = plus(before, context.plans[owner.kind].tally(out, owner as never))
  const first = await context.results.put(itemId(item), { tally, payload: await context.artifacts.pack(out) })
  if (first) context.tallies.know(itemId(item), tally)
  advanceLane(context, item, window)
  if (index + window >= total) {
    await endLane(context, owner, item.stage)
    return null
  }
  // Ended before: by a delivery that died before it went on, or by one whose lane goes on here already.
  const wait = context.waits.get(placeKey(item.owner, item.stage, index % window))
  return !first && wait && wait.index > index ? null : { ...item, index: index + window }
}

/** A lane is done; the stage is, when all are. */
async function endLane(context: EvaluationContext, owner: Owner, stage: string): Promise<void> {
  const { window } = stageOf(owner)
  for (let lane = 0; lane < window; lane++) if (!(await isThrough(context, owner, lane))) return
  // The last two lanes may both see that all are done; one goes on. If that one dies, the sweep does.
  if (await context.ends.put(`${owner.id}/${stage}`, true)) await finish(context, owner, stage)
}

/** Sums a stage up and goes on; not twice at a time in one process, as it may take long. */
export async function finish(context: EvaluationContext, owner: Owner, stage: string): Promise<void> {
  const key = `${owner.id}/${stage}`
  if (context.finishing.has(key)) return
  context.finishing.add(key)
  try {
    await context.plans[owner.kind].finished(context, owner as never, stage)
  } finally {
    context.finishing.delete(key)
  }
}

/** Begins a stage: its first `window` items. Repeated, it changes nothing. */
export async function beginStage(context: EvaluationContext, owner: Owner): Promise<void> {
  const { total, window } = stageOf(owner)
  for (let index = 0; index < Math.min(window, total); index++) await startItem(context, { owner: owner.id, stage: owner.stage, index })
  await context.bus.publishEvent(owner.kind, owner.id, 'stage', { stage: owner.stage, total } satisfies Json)
}

export const newStage = (total: number, window: number): Stage => ({ total, window: Math.max(1, Math.min(total, window)) })

const together = 256

/** The outcomes of a stage that has ended, in order: of each what `part` takes, so that the rest never piles up. */
export async function outcomesOf<T, Part = T>(
  context: EvaluationContext,
  owner: Owner,
  stage: string,
  part?: (outcome: T) => Part,
): Promise<Part[]> {
  const parts = await outcomesSoFar(context, owner, stage, part)
  const { total = 0 } = owner.stages[stage] ?? {}
  if (parts.length < total) throw new Error(`${owner.id}/${stage} lacks ${total - parts.length} of ${total} outcomes`)
  return parts
}

/** The same of a stage that runs or was stopped: the outcomes of the items that have ended. */
export async function outcomesSoFar<T, Part = T>(
  context: EvaluationContext,
  owner: Owner,
  stage: string,
  part: (outcome: T) => Part = (outcome) => outcome as unknown as Part,
): Promise<Part[]> {
  const { total = 0 } = owner.stages[stage] ?? {}
  const parts: Part[] = []
  for (let from = 0; from < total; from += together) {
    const ids = Array.from({ length: Math.min(together, total - from) }, (_, n) => itemId({ owner: owner.id, stage, index: from + n }))
    for (const ended of await context.results.many(ids)) if (ended) parts.push(part((await context.artifacts.unpack(ended.payload)) as T))
  }
  return parts
}
