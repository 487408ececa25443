/**
 * Asks a model. A queue of its own: slow models never hold up steps. The answer is stored by what was asked, and the item
 * continues at once; a refusal is not stored, so that a resumed evaluation asks again.
 */
import { subjects } from '@stateeval/contracts'
import { type Job, Refusal } from '@stateeval/service-kit'
import { parseStep } from '@stateeval/workflow'
import { askModel } from '../asking/ask-model.ts'
import { compare } from '../asking/compare.ts'
import type { EvaluationContext } from '../context.ts'
import { answerIn } from './step.ts'

/** The state that waits for the answer: the question is made from it. null: the item's first. */
interface Asking {
  state: unknown
}

function validate(payload: unknown): Asking {
  if (typeof payload === 'object' && payload !== null && 'state' in payload) return payload
  throw new Refusal('a question is { state }, that of the item which waits for the answer')
}

/** The item that waits; null where nobody waits any more. */
async function waiting({ engine }: EvaluationContext, id: string, { state }: Asking) {
  const step = parseStep(id)
  return step && engine.waiting(step, state)
}

export const askJob: Job<EvaluationContext, Asking, void> = {
  takes: subjects.ask,
  // They wait: for their turn, and for endpoints. How many are asked at once is each model's own limit.
  concurrency: 256,
  // The client has its own retries; these are for servers of ours, and for kills.
  attempts: 50,
  timeoutMs: 6 * 3_600_000,
  outcome: 'own',
  validate,
  async handle(asking, context, { id, signal }) {
    const item = await waiting(context, id, asking)
    if (!item) return
    const { workflow: owner, need } = item
    if (need.kind !== 'ask' && need.kind !== 'compare') throw new Error(`${id} asks no model`)
    const asked =
      need.kind === 'ask'
        ? await askModel(context, owner, id, need.payload, signal, need.part)
        : await compare(context, owner, id, need.payload, signal)
    switch (asked.kind) {
      case 'answered':
        return item.answer({ ok: true, value: asked.answer })
      case 'compared':
        return item.answer({ ok: true, value: asked.compared })
      case 'unanswered':
        if (signal.aborted) return
        return item.answer({ ok: false, refused: asked.refused, reason: asked.reason })
      case 'stop':
        return context.owners.end(owner.id, { status: asked.status, error: asked.reason })
    }
  },
  async ended(asking, outcome, id, context) {
    const item = await waiting(context, id, asking as Asking)
    await item?.answer(await answerIn(context, outcome))
  },
}
