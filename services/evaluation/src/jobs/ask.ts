/**
 * Asks a model. A queue of its own: slow models never hold up steps. The answer is stored by what was asked, and the item goes
 * on at once; a refusal is not stored, so that a resumed evaluation asks again.
 */
import { type Outcome, subjects } from '@stateeval/contracts'
import { type Job, Refusal } from '@stateeval/service-kit'
import { askModel } from '../asking/ask-model.ts'
import type { EvaluationContext } from '../context.ts'
import { parseStep } from '../engine/item.ts'
import { advance, open, stateOf } from '../engine/step.ts'

/** The state that waits for the answer: the question is made from it. null: the item's first. */
interface Asking {
  state: unknown
}

function validate(payload: unknown): Asking {
  if (typeof payload === 'object' && payload !== null && 'state' in payload) return payload
  throw new Refusal('a question is { state }, that of the item which waits for the answer')
}

/** The item's step with its state; null where nobody waits any more. */
async function waiting(context: EvaluationContext, id: string, { state }: Asking) {
  const step = parseStep(id)
  const opened = step && (await open(context, step.item))
  const at = opened && stateOf(opened, state)
  return at ? { step, opened, state: at.state } : null
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
    const found = await waiting(context, id, asking)
    if (!found) return
    const { step, opened, state } = found
    const need = opened.flow.need(state, opened.of)
    if (need.kind !== 'ask') throw new Error(`${id} asks no model`)
    const goOn = (outcome: Outcome) => advance(context, step, opened, state, outcome)
    const asked = await askModel(context, opened.owner, id, need.payload, signal)
    switch (asked.kind) {
      case 'answered':
        return goOn({ status: 'done', value: { inline: asked.answer as never } })
      case 'unanswered':
        if (signal.aborted) return
        return goOn({ status: asked.refused ? 'refused' : 'failed', reason: asked.reason })
      case 'stop':
        return context.owners.end(opened.owner.id, { status: asked.status, error: asked.reason })
    }
  },
  async ended(asking, outcome, id, context) {
    const found = await waiting(context, id, asking as Asking)
    if (found) await advance(context, found.step, found.opened, found.state, outcome)
  },
}
