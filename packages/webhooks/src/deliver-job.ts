/**
 * Attempts a delivery to a webhook. The stored state, not the queue, decides when the next attempt is due.
 */
import { subjects } from '@stateeval/contracts'
import { type JobDefinition, JobRefusal } from '@stateeval/service-kit'
import {
  deliver,
  type DeliveryMessage,
  type DeliveryParts,
  endDelivery,
  type DeliverySender,
} from './deliver.ts'

function validate(payload: unknown): DeliveryMessage {
  const { delivery, due } = (payload ?? {}) as Partial<DeliveryMessage>
  if (typeof delivery === 'string' && typeof due === 'string') return { delivery, due }
  throw new JobRefusal('an attempt is { delivery, due }')
}

export const deliverJob: JobDefinition<DeliveryParts & DeliverySender, DeliveryMessage, void> = {
  takes: subjects.deliver,
  // They wait for receivers.
  concurrency: 32,
  timeoutMs: 60_000,
  outcome: 'own',
  validate,
  handle: (message, context) => deliver(context, message),
  ended: (message, { reason }, _, context) => endDelivery(context, message as DeliveryMessage, reason),
}
