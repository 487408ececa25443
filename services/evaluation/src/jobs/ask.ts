/**
 * Asks a model. This has a separate queue, so slow models never delay steps. The answer is stored by its
 * question, and the item continues immediately. A refusal is not stored, so a resumed evaluation asks
 * again.
 */
import { subjects } from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import { type ProjectArtifacts, type JobDefinition, JobRefusal } from '@stateeval/service-kit'
import { type WorkflowEngine, parseStep } from '@stateeval/workflow'
import { type AskContext, askModel } from '../asking/ask-model.ts'
import { compareTexts } from '../asking/compare.ts'
import { readJobAnswer, type JobOwner, type OwnerStore } from '@stateeval/jobs'

interface ItemWaiters {
  engine: Pick<WorkflowEngine<JobOwner, ItemNeed>, 'waiting'>
}
interface AskParts extends ItemWaiters, AskContext {
  engine: ItemWaiters['engine'] & AskContext['engine']
  owners: OwnerStore
  artifacts: ProjectArtifacts
}

/** The state that waits for the answer: the question is made from it. null: the item's first. */
interface AskMessage {
  state: unknown
}

function validate(payload: unknown): AskMessage {
  if (typeof payload === 'object' && payload !== null && 'state' in payload) return payload
  throw new JobRefusal('a question is { state }: the state of the item that waits for the answer')
}

/** The item that waits; null where nobody waits any more. */
async function findWaitingItem({ engine }: ItemWaiters, id: string, { state }: AskMessage) {
  const step = parseStep(id)
  return step && engine.waiting(step, state)
}

export const askJob: JobDefinition<AskParts, AskMessage, void> = {
  takes: subjects.ask,
  // They wait: for their turn, and for endpoints. How many are asked at once is each model's own limit.
  concurrency: 256,
  // The client has its own retries; these are for servers of ours, and for kills.
  attempts: 50,
  timeoutMs: 6 * 3_600_000,
  outcome: 'own',
  validate,
  async handle(message, context, { id, signal }) {
    const item = await findWaitingItem(context, id, message)
    if (!item) return
    const { workflow: owner, need } = item
    if (need.kind !== 'ask' && need.kind !== 'compare') throw new Error(`${id} asks no model`)
    const end =
      need.kind === 'ask'
        ? await askModel(context, owner, id, need.payload, signal, need.part)
        : await compareTexts(
            need.payload,
            (at, question) => askModel(context, owner, `${id}/${at}`, question, signal, 'similar'),
            signal,
          )
    switch (end.kind) {
      case 'answered':
        return item.answer({ ok: true, value: end.answer })
      case 'compared':
        return item.answer({ ok: true, value: end.compared })
      case 'unanswered': {
        if (signal.aborted) return
        const { kind: _, ...silence } = end
        return item.answer({ ok: false, ...silence })
      }
      // A resumed owner asks again.
      case 'ended':
        return
      case 'stop':
        return context.owners.end(owner.id, { status: end.status, error: end.reason })
    }
  },
  async ended(message, outcome, id, context) {
    const item = await findWaitingItem(context, id, message as AskMessage)
    await item?.answer(await readJobAnswer(context, outcome))
  },
}
