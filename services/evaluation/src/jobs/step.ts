/** The one queue through which builds and evaluations move: an item's start, or the answer to a job that it waits for. */
import { type Reply, subjects } from '@stateeval/contracts'
import { type Job, Refusal } from '@stateeval/service-kit'
import type { EvaluationContext } from '../context.ts'
import { itemId, parseStep } from '../engine/item.ts'
import { begin, resume } from '../engine/step.ts'

type StepMessage = { start: string } | Reply

function validate(payload: unknown): StepMessage {
  const value = (payload ?? {}) as Partial<Reply> & { start?: unknown }
  if (typeof value.start === 'string' && parseStep(value.start)) return { start: value.start }
  if (typeof value.correlation === 'string' && parseStep(value.correlation) && typeof value.outcome?.status === 'string')
    return value as Reply
  throw new Refusal('a step is { start } or a Reply of a job that was asked for here')
}

export const stepJob: Job<EvaluationContext, StepMessage, void> = {
  takes: subjects.step,
  // Steps wait for the database, not for the processor.
  concurrency: 16,
  attempts: 8,
  outcome: 'own',
  validate,
  async handle(message, context) {
    if ('start' in message) {
      const step = parseStep(message.start)
      if (step) await begin(context, step.item)
    } else await resume(context, message)
  },
  /** An item that can't go on would leave its owner running for ever. */
  async ended(message, { reason }, _, context) {
    const text = (message as Partial<{ start: string; correlation: string }> | null) ?? {}
    const step = parseStep(text.start ?? text.correlation ?? '')
    if (step)
      await context.owners.end(step.item.owner, { status: 'failed', error: `it could not go on at ${itemId(step.item)}: ${reason}` })
  },
}
