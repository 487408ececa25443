/**
 * One step of one item: an answer leads its flow to the next state, whose need is asked for. States are stored nowhere: a
 * job carries the state that waits for it, and brings it back. What was lost with a message or a process is done again from the
 * item's beginning, which is cheap: every job that was done recognises its id and answers at once. Only an item's end is
 * stored, once.
 */
import { type Json, type Outcome, ProblemError, type Reply, subjects } from '@stateeval/contracts'
import { sha256 } from '@stateeval/program'
import { isAway } from '@stateeval/service-kit'
import type { EvaluationContext } from '../context.ts'
import type { Answer, Flow, Need } from '../flows/flow.ts'
import { isEnded } from '../owners/owner.ts'
import { complete } from './complete.ts'
import { type Item, itemId, parseStep, stepId } from './item.ts'
import { placeKey } from './progress.ts'

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
} as const satisfies Record<Exclude<Need['kind'], 'ask'>, string>

/** What a lane's item in flight waits for, as far as this process asked for it. */
export interface Wait {
  index: number
  rev: number
  state: unknown
}

type Opened = NonNullable<Awaited<ReturnType<typeof open>>>

/**
 * An item with its flow; null where its owner has ended or left the stage. What it needs may be damaged in the store, which no
 * retry would mend: then its owner ends here, and can be resumed.
 */
export async function open(context: EvaluationContext, item: Item) {
  const owner = await context.owners.recent(item.owner)
  const stage = owner?.stages[item.stage]
  if (!owner || !stage || isEnded(owner) || owner.stage !== item.stage) return null
  try {
    const { flow, context: of } = await context.plans[owner.kind].item(context, owner as never, item.stage, item.index)
    return { owner, flow, of, place: placeKey(item.owner, item.stage, item.index % stage.window) }
  } catch (error) {
    if (!(error instanceof ProblemError) || isAway(error)) throw error
    await context.owners.end(owner.id, { status: 'failed', error: `it could not go on at ${itemId(item)}: ${error.message}` })
    return null
  }
}

/** Asks for what a state needs; the answer has the step's id, and the state. */
async function ask(context: EvaluationContext, item: Item, rev: number, state: unknown, opened: Opened, afterMs = 0): Promise<void> {
  const { flow, of, place } = opened
  const id = stepId(item, rev)
  const need = flow.need(state, of)
  context.waits.set(place, { index: item.index, rev, state })
  const send = async () => {
    // Models are asked within this service, which makes the question from the state by itself.
    if (need.kind === 'ask') return context.send(subjects.ask, { id, value: { state: rev === 0 ? null : (state as Json) } })
    // A repeated item may have come here another way, where a model was away the first time: other work is another job.
    const job = `${id}#${sha256(JSON.stringify(need.payload)).slice(0, 12)}`
    const carried = rev === 0 ? undefined : await context.artifacts.pack(state)
    await context.send(subjectOf[need.kind], {
      id: job,
      value: need.payload,
      replyTo: { subject: subjects.step, correlation: id, ...(carried && { carried }) },
    })
  }
  if (afterMs === 0) return send()
  // Lost with the process, and with a broker that is away; the sweep asks then.
  setTimeout(() => void send().catch(() => undefined), afterMs).unref()
}

/** Starts an item. */
export async function begin(context: EvaluationContext, item: Item): Promise<void> {
  const opened = await open(context, item)
  if (!opened) return
  const next = opened.flow.start(opened.of)
  if (!('done' in next)) return ask(context, item, 0, next.state, opened, next.afterMs)
  // The next one gets a message of its own: of many that end at once, each is done in its own time.
  const follower = await complete(context, opened.owner, item, next.done)
  if (follower) await context.send(subjects.step, startMessage(follower))
}

/** The state that a job was asked for with; the first one is computed anew. */
export function stateOf({ flow, of }: Opened, carried: unknown): { state: unknown } | null {
  if (carried !== null) return { state: carried }
  const first = flow.start(of)
  return 'done' in first ? null : { state: first.state }
}

/** Goes on with an answer to a state. */
export async function advance(
  context: EvaluationContext,
  { item, rev }: { item: Item; rev: number },
  opened: Opened,
  state: unknown,
  outcome: Outcome,
): Promise<void> {
  const answer: Answer =
    outcome.status === 'done'
      ? { ok: true, value: (await context.artifacts.unpack(outcome.value)) as Json }
      : { ok: false, refused: outcome.status === 'refused', reason: outcome.reason }
  const next = opened.flow.resume(state, answer, opened.of)
  if (!('done' in next)) return ask(context, item, rev + 1, next.state, opened, next.afterMs)
  const follower = await complete(context, opened.owner, item, next.done)
  if (follower) await begin(context, follower)
}

/** Takes an answer to the step that it belongs to. */
export async function resume(context: EvaluationContext, { correlation, outcome, carried }: Reply): Promise<void> {
  const step = parseStep(correlation)
  const opened = step && (await open(context, step.item))
  if (!opened) return
  const at = stateOf(opened, carried ? await context.artifacts.unpack(carried) : null)
  if (at) await advance(context, step, opened, at.state, outcome)
}

/** Asks again for what an item waits for, if that was asked for here; else the item goes its way again. */
export async function remind(context: EvaluationContext, item: Item): Promise<void> {
  const opened = await open(context, item)
  const wait = opened && context.waits.get(opened.place)
  if (wait?.index !== item.index) return begin(context, item)
  await ask(context, item, wait.rev, wait.state, opened as Opened)
}

export const startMessage = (item: Item) => ({ id: `${itemId(item)}:start`, value: { start: stepId(item, 0) } })
