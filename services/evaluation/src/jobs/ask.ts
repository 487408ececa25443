/**
 * Asks a model. A queue of its own: slow models never hold up steps. The answer is stored by what was asked, and the step
 * is told; a refusal is not stored, so that a resumed evaluation asks again.
 */
import { type Outcome, type Reply, subjects } from '@stateeval/contracts'
import type { Job } from '@stateeval/service-kit'
import { askModel } from '../asking/ask-model.ts'
import type { Question } from '../asking/question.ts'
import type { EvaluationContext } from '../context.ts'
import { parseStep } from '../engine/item.ts'
import { isEnded } from '../owners/owner.ts'

async function tell({ send }: EvaluationContext, step: string, outcome: Outcome): Promise<void> {
  const reply: Reply = { correlation: step, jobId: step, outcome }
  await send(subjects.step, { id: `${step}:reply`, value: reply })
}

export const askJob: Job<EvaluationContext, Question, void> = {
  takes: subjects.ask,
  // They wait: for their turn, and for endpoints. How many are asked at once is each model's own limit.
  concurrency: 256,
  // The client has its own retries; these are for servers of ours, and for kills.
  attempts: 50,
  timeoutMs: 6 * 3_600_000,
  outcome: 'own',
  validate: (payload) => payload as Question,
  async handle(question, context, { id, signal }) {
    const step = parseStep(id)
    const owner = step && (await context.owners.recent(step.item.owner))
    if (!owner || isEnded(owner) || owner.stage !== step.item.stage) return
    const asked = await askModel(context, owner, id, question, signal)
    switch (asked.kind) {
      case 'answered':
        return tell(context, id, { status: 'done', value: await context.artifacts.pack(asked.answer) })
      case 'unanswered':
        if (signal.aborted) return
        return tell(context, id, { status: asked.refused ? 'refused' : 'failed', reason: asked.reason })
      case 'stop':
        return context.owners.end(owner.id, { status: asked.status, error: asked.reason })
    }
  },
  ended: (_payload, outcome, id, context) => tell(context, id, outcome),
}
