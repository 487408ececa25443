/**
 * Asks a model, once: an answer is stored before anybody uses it, under the hash of what was asked, so neither a crash nor
 * a second evaluation pays for it twice. What concerns every question of the evaluation stops it, with what to do.
 */
import { answerKey, noUsage, overBudget, type KeptAnswer, type Reply } from '@stateeval/models'
import type { EvaluationContext } from '../context.ts'
import type { Owner } from '../owners/owner.ts'
import { addSpent, spentBy } from './ledger.ts'
import type { Answered, Question } from './question.ts'

/** `stop` ends the owner (failed, or cancelled where that is a person's wish); `unanswered` this question alone. */
export type Asked =
  | { kind: 'answered'; answer: Answered }
  | { kind: 'unanswered'; refused: boolean; reason: string }
  | { kind: 'stop'; status: 'failed' | 'cancelled'; reason: string }

/** Who is asked; null where a build has several models. */
function choiceOf(owner: Owner) {
  const choice = owner.kind === 'evaluation' ? owner.model : owner.writing?.model
  return choice?.kind === 'endpoint' ? choice : null
}

export async function askModel(
  context: EvaluationContext,
  owner: Owner,
  step: string,
  { model, messages, tools, sample }: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const request = { messages, ...(tools && { tools }) }
  const key = answerKey(model.settings, request, sample)
  const { recording, fresh } = choiceOf(owner) ?? {}
  const place = recording ? `${recording}/${key}` : fresh ? `${key}~${owner.id}` : key
  const known = await context.answers.get(place)
  if (known) return answered(known, place, owner)
  if (recording)
    return {
      kind: 'stop',
      status: 'failed',
      reason: `the recording has no answer to a question of this ${owner.kind === 'evaluation' ? 'evaluation' : 'build'} (${step}): it was made with another set, other options or another version`,
    }
  let attempt = 0
  // When its turn has come: what waits behind a model's limit is neither paid for nor lost.
  const before = async () => {
    const over = await outOfBudget(context, owner)
    if (over === null && attempt === 0) attempt = await beginAsking(context, step)
    return over
  }
  const reply = await context.modelClient.ask(model, { ...request, before }, signal)
  if (reply.status === 'done') {
    const { text, toolCalls, finish, usage, retries } = reply
    const stored = await context.answers.put(place, {
      key,
      by: owner.id,
      text,
      ...(toolCalls && { toolCalls }),
      finish,
      usage,
      retries,
      repeated: attempt - 1,
    })
    addSpent(context, owner, usage)
    // Somebody else may have been faster; it was paid for here all the same.
    return answered({ ...stored, by: owner.id, usage, retries, repeated: attempt - 1 }, place, owner)
  }
  // Handed back: whether the endpoint was asked is not known, so the mark stays.
  if (signal.aborted) return { kind: 'unanswered', refused: false, reason: 'stopped' }
  if (attempt > 0) await context.asks.remove(`${step}#${attempt}`)
  return unanswered(context, owner, reply)
}

function answered({ text, toolCalls, usage, retries, repeated = 0, by }: KeptAnswer, place: string, owner: Owner): Asked {
  const kept = by !== owner.id
  const cost = kept ? { usage: noUsage, retries: 0, repeated: 0 } : { usage, retries, repeated }
  return { kind: 'answered', answer: { text, ...(toolCalls && { toolCalls }), ...cost, place, kept } }
}

/** Marks an attempt before it is made, and gives its number: earlier marks without an answer are requests that a kill cut short. */
async function beginAsking({ asks }: EvaluationContext, step: string): Promise<number> {
  let attempt = 1
  while (!(await asks.put(`${step}#${attempt}`, true))) attempt++
  return attempt
}

async function unanswered(context: EvaluationContext, owner: Owner, reply: Exclude<Reply, { status: 'done' }>): Promise<Asked> {
  if (reply.status === 'failed') return { kind: 'unanswered', refused: false, reason: reply.reason }
  const { kind, reason } = reply
  if (kind === 'held') return { kind: 'stop', status: 'cancelled', reason }
  // A question that the endpoint does not take may be the only one of its kind; where nothing was answered yet, it is not.
  const alone = (kind === 'context' || kind === 'request') && (await spentBy(context, owner)).requests > 0
  return alone
    ? { kind: 'unanswered', refused: true, reason }
    : { kind: 'stop', status: 'failed', reason: `${reason}; then ${onwards(owner)}` }
}

const onwards = (owner: Owner) =>
  owner.kind === 'evaluation' ? `resume the evaluation: POST /v1/evaluations/${owner.id}/resume` : 'build again: what was answered is kept'

async function outOfBudget(context: EvaluationContext, owner: Owner): Promise<string | null> {
  const { budget } = owner
  const choice = choiceOf(owner)
  if (!budget || !choice) return null
  const over = overBudget(budget, await spentBy(context, owner), choice.settings.prices)
  if (over === null) return null
  return owner.kind === 'evaluation'
    ? `stopped: ${over}; resume it with a larger one: POST /v1/evaluations/${owner.id}/resume {"budget": …}`
    : `stopped: ${over}; build again with a larger one: what was answered is kept`
}
