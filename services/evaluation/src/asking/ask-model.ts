/**
 * Asks a model, once: an answer is stored before anybody uses it, under the hash of what was asked, so neither a crash nor
 * a second evaluation pays for it twice. What concerns every question of the evaluation stops it, with what to do.
 */
import type { Budget, Prices } from '@stateeval/contracts'
import {
  answerKey,
  costUsd,
  noUsage,
  overBudget,
  type KeptAnswer,
  type RefusalKind,
  type ModelReply,
  type Settled,
} from '@stateeval/models'
import { pause } from '@stateeval/service-kit'
import type { EvaluationContext } from '../context.ts'
import { asksOpinions, modelsOf, type Owner } from '../owners/owner.ts'
import {
  addSpent,
  noteHopeless,
  noteRefused,
  refusedSoFar,
  spentBy,
  wasAnswered,
  whyHopeless,
} from './ledger.ts'
import { onwards, withLargerBudget } from './onwards.ts'
import type { Answered, Question } from './question.ts'

/** `stop` ends the owner (failed, or cancelled where that is a person's wish); `unanswered` this question alone. */
export type Asked =
  | { kind: 'answered'; answer: Answered }
  | { kind: 'unanswered'; refused: boolean; reason: string }
  | { kind: 'stop'; status: 'failed' | 'cancelled'; reason: string }

/** Of several models: what a budget is held against counts them all as dear as the dearest, so it is never exceeded. */
const highest = (all: readonly Prices[]): Prices | null =>
  all.length === 0
    ? null
    : {
        promptPerMillion: Math.max(...all.map((one) => one.promptPerMillion)),
        completionPerMillion: Math.max(...all.map((one) => one.completionPerMillion)),
      }

/** From where answers are taken, and what they cost. */
function termsOf(owner: Owner): { recording?: string; fresh?: boolean; prices?: Prices } {
  const agents = owner.kind === 'benchmark' ? owner.agents : undefined
  if (agents) {
    const prices = highest(modelsOf(agents).flatMap(({ settings }) => settings.prices ?? []))
    const { recording, fresh } = agents
    return { ...(recording && { recording }), ...(fresh && { fresh }), ...(prices && { prices }) }
  }
  const choice = asksOpinions(owner)
    ? owner.opinion.by
    : owner.kind === 'evaluation'
      ? owner.model
      : owner.writing?.model
  if (choice?.kind !== 'endpoint') return {}
  const { recording, fresh, settings } = choice
  return {
    ...(recording && { recording }),
    ...(fresh && { fresh }),
    ...(settings.prices && { prices: settings.prices }),
  }
}

export async function askModel(
  context: EvaluationContext,
  owner: Owner,
  step: string,
  question: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const { model, sample, ...request } = question
  const key = answerKey(model.settings, request, sample)
  const { recording, fresh } = termsOf(owner)
  const place = recording ? `${recording}/${key}` : fresh ? `${key}~${owner.id}` : key
  const known = await context.answers.get(place)
  if (known?.unanswered) return { kind: 'unanswered', ...known.unanswered }
  if (known) {
    await addSpent(context, owner, noUsage)
    return answered(known, place, owner)
  }
  if (asksOpinions(owner)) {
    const why = recording ? 'the recording has no answer to this question' : whyHopeless(context, owner)
    if (why !== undefined) return { kind: 'unanswered', refused: true, reason: why }
  }
  if (recording)
    return {
      kind: 'stop',
      status: 'failed',
      reason: `the recording has no answer to a question of this ${owner.kind === 'evaluation' ? 'evaluation' : 'build'} (${step}): it was made with another set, other options or another version`,
    }
  let attempt = 0
  // When its turn has come: what waits behind a model's limit is neither paid for nor lost.
  const before = async () => {
    const over = whyHopeless(context, owner) ?? (await outOfBudget(context, owner))
    if (over === null && attempt === 0) attempt = await beginAsking(context, step)
    return over
  }
  let paid: KeptAnswer | null = null
  // Before its turn ends: a budget or a refusal is known to whom comes next.
  const settle = async (ended: Settled) => {
    if (ended.status === 'refused') return noteRefusal(context, owner, ended)
    const { status: _, ...answer } = ended
    const own = { ...answer, key, by: owner.id, repeated: attempt - 1 }
    const stored = await context.answers.put(place, own)
    await addSpent(context, owner, own.usage)
    // Somebody else may have been faster; it was paid for here all the same.
    paid = { ...stored, by: own.by, usage: own.usage, retries: own.retries, repeated: own.repeated }
  }
  const reply = await context.modelClient.ask(model, { ...request, before, settle }, signal)
  if (paid) return answered(paid, place, owner)
  if (reply.status === 'done') throw new Error(`the answer to ${step} was not kept`)
  // Handed back: whether the endpoint was asked is not known, so the mark stays.
  if (signal.aborted) return { kind: 'unanswered', refused: false, reason: 'stopped' }
  if (attempt > 0) await context.asks.remove(`${step}#${attempt}`)
  return unanswered(context, owner, step, question, reply, signal)
}

function answered(
  { text, toolCalls, finish, usage, retries, repeated = 0, by }: KeptAnswer,
  place: string,
  owner: Owner,
): Asked {
  const kept = by !== owner.id
  const cost = kept ? { usage: noUsage, retries: 0, repeated: 0 } : { usage, retries, repeated }
  return { kind: 'answered', answer: { text, ...(toolCalls && { toolCalls }), ...cost, place, kept, finish } }
}

/** Marks an attempt before it is made, and gives its number: earlier marks without an answer are requests that a kill cut short. */
async function beginAsking({ asks }: EvaluationContext, step: string): Promise<number> {
  let attempt = 1
  while (!(await asks.put(`${step}#${attempt}`, true))) attempt++
  return attempt
}

async function unanswered(
  context: EvaluationContext,
  owner: Owner,
  step: string,
  { model }: Question,
  reply: Exclude<ModelReply, { status: 'done' }>,
  signal: AbortSignal,
): Promise<Asked> {
  if (reply.status === 'failed') {
    // A set must not depend on an endpoint's luck: no program is dropped for a fault of its.
    if (owner.kind === 'benchmark' && owner.agents)
      return {
        kind: 'stop',
        status: 'failed',
        reason: `${reply.reason}; ${onwards(owner, model.name, 'unreachable', false)}`,
      }
    return { kind: 'unanswered', refused: false, reason: reply.reason }
  }
  const { kind, reason } = reply
  noteRefusal(context, owner, reply)
  // Nothing depends on an opinion, so nothing stops for want of it.
  if (asksOpinions(owner)) return { kind: 'unanswered', refused: true, reason }
  if (kind === 'held') return { kind: 'stop', status: 'cancelled', reason }
  if (isOfQuestion(kind) && (await isAlone(context, owner, step, model.settings.timeoutMs, signal)))
    return { kind: 'unanswered', refused: true, reason }
  if (signal.aborted) return { kind: 'unanswered', refused: false, reason: 'stopped' }
  return {
    kind: 'stop',
    status: 'failed',
    reason: `${reason}; ${onwards(owner, model.name, kind, await wasAnswered(context, owner))}`,
  }
}

/** Whether a refusal concerns one question only. */
const isOfQuestion = (kind: RefusalKind) => kind === 'context' || kind === 'request'

/** Second opinions have no end of their own that would keep the others from being asked for. */
function noteRefusal(
  context: EvaluationContext,
  owner: Owner,
  { kind, reason }: Extract<ModelReply, { status: 'refused' }>,
): void {
  if (asksOpinions(owner) && !isOfQuestion(kind)) noteHopeless(context, owner, reason)
}

/** So many questions that are not taken, and none that is: it is the model or its settings. */
const tellingRefusals = 3
const lookEveryMs = 200
const usualPatienceMs = 120_000

/**
 * Whether a question that was not taken is one of a few. A refusal comes faster than an answer, so the first to come says
 * nothing of the others: those under way are waited for, until one is answered, or a few more are refused, too.
 */
async function isAlone(
  context: EvaluationContext,
  owner: Owner,
  step: string,
  patienceMs = usualPatienceMs,
  signal: AbortSignal,
): Promise<boolean> {
  const enough = Math.min(tellingRefusals, owner.stages[owner.stage]?.total ?? 0)
  noteRefused(context, owner, step)
  for (let waited = 0; !signal.aborted; waited += lookEveryMs) {
    if (await wasAnswered(context, owner)) return true
    if (refusedSoFar(context, owner) >= enough || waited >= patienceMs) return false
    await pause(lookEveryMs, signal)
  }
  return false
}

async function outOfBudget(context: EvaluationContext, owner: Owner): Promise<string | null> {
  const { budget } = owner
  if (!budget) return null
  if (asksOpinions(owner)) return overWithOpinions(context, owner, budget)
  const over = overBudget(budget, await spentBy(context, owner), termsOf(owner).prices)
  if (over === null) return null
  return owner.kind === 'evaluation'
    ? `stopped: ${withLargerBudget(owner.id, over)}`
    : `stopped: ${over}; build again with a larger one: what was answered is kept`
}

/** Second opinions come on top of what the model under test used, each at its own prices. */
async function overWithOpinions(
  context: EvaluationContext,
  owner: Owner & { kind: 'evaluation' },
  budget: Budget,
): Promise<string | null> {
  const theirs = await spentBy(context, owner)
  const own = await spentBy(context, { ...owner, stage: 'samples' })
  const prices = owner.model.kind === 'endpoint' ? owner.model.settings.prices : undefined
  const usd = budget.usd === undefined ? undefined : Math.max(0, budget.usd - (costUsd(own, prices) ?? 0))
  const tokens =
    budget.tokens === undefined
      ? undefined
      : Math.max(0, budget.tokens - own.promptTokens - own.completionTokens)
  const left = { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) }
  return overBudget(left, theirs, termsOf(owner).prices) === null
    ? null
    : 'the budget was spent before this question'
}
