/**
 * One step of one item: an answer leads its flow to the next state, which is stored before its need is asked for. The
 * next state's id is taken once only, so a stale or repeated answer changes nothing; what it asks for again is
 * recognised by its id.
 */
import { type Json, type Reply, subjects } from '@stateeval/contracts'
import type { EvaluationContext } from '../context.ts'
import type { Answer, Flow, Need } from '../flows/flow.ts'
import { isEnded } from '../owners/owner.ts'
import { complete } from './complete.ts'
import { type Item, itemId, parseStep, stepId } from './item.ts'

/** A flow of whatever kind, with its context. */
export interface Prepared {
  flow: Flow<unknown, unknown, unknown>
  context: unknown
}
export const prepared = <C, S, Out>(flow: Flow<C, S, Out>, context: C): Prepared => ({
  flow: flow,
  context,
})

const subjectOf = {
  generate: subjects.generate,
  translate: subjects.translate,
  execute: subjects.execute,
  score: subjects.score,
  ask: subjects.ask,
} as const satisfies Record<Need['kind'], string>

/** Asks a service for what a state needs; it answers with the step's id. */
async function ask(context: EvaluationContext, item: Item, rev: number, need: Need, afterMs = 0): Promise<void> {
  const id = stepId(item, rev)
  // Models are asked within this service, which tells the step by itself.
  const replyTo = need.kind === 'ask' ? undefined : { subject: subjects.step, correlation: id }
  const send = () => context.send(subjectOf[need.kind], { id, value: need.payload, ...(replyTo && { replyTo }) })
  if (afterMs === 0) return send()
  // Lost with the process, and with a broker that is away; the sweep asks then.
  setTimeout(() => void send().catch(() => undefined), afterMs).unref()
}

async function open(context: EvaluationContext, item: Item) {
  const owner = await context.owners.recent(item.owner)
  if (!owner || isEnded(owner) || owner.stage !== item.stage) return null
  const { flow, context: of } = await context.plans[owner.kind].item(context, owner as never, item.stage, item.index)
  return { owner, flow, of }
}

/** Starts an item. The first state is computed, not stored. */
export async function begin(context: EvaluationContext, item: Item): Promise<void> {
  const opened = await open(context, item)
  if (!opened) return
  const { owner, flow, of } = opened
  const next = flow.start(of)
  if ('done' in next) return complete(context, owner, item, next.done)
  await ask(context, item, 0, flow.need(next.state, of), next.afterMs)
}

/** The state after `rev` answers; null where the item never came that far. */
async function stateAt(
  context: EvaluationContext,
  item: Item,
  rev: number,
  { flow, of }: { flow: Prepared['flow']; of: unknown },
): Promise<{ state: unknown } | null> {
  if (rev > 0) {
    const state = await context.steps.get(stepId(item, rev))
    return state === null ? null : { state }
  }
  const next = flow.start(of)
  return 'done' in next ? null : { state: next.state }
}

/** Takes an answer to the step that it belongs to. */
export async function resume(context: EvaluationContext, { correlation, outcome }: Reply): Promise<void> {
  const step = parseStep(correlation)
  if (!step) return
  const { item, rev } = step
  const opened = await open(context, item)
  if (!opened) return
  const { owner, flow, of } = opened
  const at = await stateAt(context, item, rev, opened)
  if (!at) return
  const answer: Answer =
    outcome.status === 'done'
      ? { ok: true, value: (await context.artifacts.unpack(outcome.value)) as Json }
      : { ok: false, refused: outcome.status === 'refused', reason: outcome.reason }
  const next = flow.resume(at.state, answer, of)
  if ('done' in next) return complete(context, owner, item, next.done)
  const first = await context.steps.put(stepId(item, rev + 1), next.state)
  if (first) return ask(context, item, rev + 1, flow.need(next.state, of), next.afterMs)
  // Stored before: perhaps by a delivery that ended before it asked. Whoever was asked already is not asked twice.
  const stored = await context.steps.get(stepId(item, rev + 1))
  if (stored !== null) await ask(context, item, rev + 1, flow.need(stored, of))
}

/** Asks again for what an item waits for, from the last state that is stored. */
export async function remind(context: EvaluationContext, item: Item, rev: number): Promise<void> {
  if (rev === 0) return begin(context, item)
  const opened = await open(context, item)
  const state = await context.steps.get(stepId(item, rev))
  if (opened && state !== null) await ask(context, item, rev, opened.flow.need(state, opened.of))
}

/** How many answers an item has had, counted on from what is known. */
export async function revisionOf(context: EvaluationContext, item: Item, from = 0): Promise<number> {
  let rev = from
  while ((await context.steps.get(stepId(item, rev + 1))) !== null) rev++
  return rev
}
export const startMessage = (item: Item) => ({ id: `${itemId(item)}:start`, value: { start: stepId(item, 0) } })
