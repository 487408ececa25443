/**
 * Deliveries: queued, attempted, retried. The stored delivery contains the time of the next attempt, and a
 * mark in the order of time leads the sweep to it. A kill at any moment therefore loses nothing; a receiver
 * may get an event twice, with the same webhook-id.
 */
import { type DeliveryAttempt, subjects } from '@stateeval/contracts'
import {
  getErrorText,
  type ServicePlatform,
  type RevisedDocuments,
  type SecretBox,
} from '@stateeval/service-kit'
import { type AnnouncedEvent, contentType } from './event.ts'
import type { PostAnswer, PostFunction } from './post.ts'
import { signPayload } from './secrets.ts'
import {
  formatDeliveryId,
  formatDeliveryKey,
  formatDueKey,
  isDue,
  parseDeliveryKey,
  type StoredDelivery,
  type StoredWebhook,
  selectValidSecrets,
} from './stored.ts'

export interface DeliveryParts extends Pick<ServicePlatform, 'send' | 'now' | 'log'> {
  webhooks: RevisedDocuments<StoredWebhook>
  deliveries: RevisedDocuments<StoredDelivery>
  /** Marks: `formatDueKey` of each delivery that has not ended. */
  dueDeliveries: RevisedDocuments<object>
}
export interface DeliverySender {
  post: PostFunction
  secretBox: SecretBox
  /** The wait after each attempt, in milliseconds; after the last one the delivery has failed. */
  webhookRetriesMs: readonly number[]
}
/** The payload of a delivery job. */
export interface DeliveryMessage {
  delivery: string
  /** The mark that it was queued for. */
  due: string
}

const pausedError = 'the webhook is paused'
/** Limit of kept attempts of one delivery: the newest ones. */
const keptAttempts = 30
const longestWaitMs = 86_400_000

/** Queues an event for a webhook, and returns its key. An event that is already queued stays unchanged. */
export async function queueEvent(
  context: DeliveryParts,
  webhook: string,
  event: AnnouncedEvent,
): Promise<string> {
  const { id, type, subject, body, at } = event
  const key = formatDeliveryKey(webhook, formatDeliveryId(id, at))
  const dueAt = context.now().toISOString()
  const delivery = { type, event: id, subject, body, createdAt: at, attempts: [], tries: 0 }
  await context.deliveries.create(key, { ...delivery, status: 'pending', dueAt })
  const stored = await context.deliveries.get(key)
  if (stored?.dueAt !== undefined) await makeDue(context, key, stored.dueAt)
  return key
}

/**
 * Marks the delivery, and queues the attempt if it is due. After an interruption, the sweep finishes this.
 */
export async function makeDue(context: DeliveryParts, delivery: string, at: string): Promise<void> {
  const due = formatDueKey(at, delivery)
  await context.dueDeliveries.create(due, {})
  if (isDue(due, context.now())) await queueAttempt(context, due)
}

async function queueAttempt({ send, log }: DeliveryParts, due: string): Promise<void> {
  const delivery = due.slice(due.indexOf('/') + 1)
  await send(subjects.deliver, { id: due, value: { delivery, due } satisfies DeliveryMessage }).catch(
    (error: unknown) => log.debug({ delivery, reason: getErrorText(error) }, 'a delivery was not queued yet'),
  )
}

/** Marks looked at in one sweep: those behind them wait for the next. */
const swept = 500

/** Queues due deliveries whose mark still exists: for the first time, or after a kill. */
export async function sweepDeliveries(context: DeliveryParts, signal: AbortSignal): Promise<void> {
  for (const { id } of await context.dueDeliveries.page(undefined, swept)) {
    if (signal.aborted || !isDue(id, context.now())) return
    await queueAttempt(context, id)
  }
}

/** One attempt of a due delivery. */
export async function deliver(
  context: DeliveryParts & DeliverySender,
  { delivery: key, due }: DeliveryMessage,
): Promise<void> {
  const { deliveries, dueDeliveries, webhooks, now } = context
  const stored = await deliveries.get(key)
  if (stored?.dueAt !== undefined && formatDueKey(stored.dueAt, key) !== due)
    // A mark of before: a kill came between the change and its removal.
    await makeDue(context, key, stored.dueAt)
  else if (stored?.dueAt !== undefined) {
    const { webhook: id } = parseDeliveryKey(key)
    const webhook = await webhooks.get(id)
    if (!webhook) await deliveries.remove(key)
    else {
      const at = now()
      const answer = await attemptDelivery(context, { id, webhook, key, stored, at })
      const { status, error } = answer
      const entry: DeliveryAttempt = {
        at: at.toISOString(),
        ms: Math.max(0, now().getTime() - at.getTime()),
        ...(status !== undefined && { status }),
        ...(error !== undefined && { error }),
      }
      const next = computeNextAttempt(context, stored, answer)
      await deliveries.update(key, (value) =>
        value.dueAt === stored.dueAt ? withAttempt(value, entry, next, now()) : null,
      )
      if (next !== null) await makeDue(context, key, next)
      // Status 410 means, by Standard Webhooks, that the receiver is gone for good.
      if (status === 410) await pauseWebhook(context, id, 'the receiver answered 410 (gone)')
    }
  }
  await dueDeliveries.remove(due)
}

interface AttemptedDelivery {
  id: string
  webhook: StoredWebhook
  key: string
  stored: StoredDelivery
  at: Date
}

async function attemptDelivery(
  { post, secretBox }: DeliverySender,
  { id, webhook, key, stored, at }: AttemptedDelivery,
): Promise<PostAnswer> {
  if (webhook.status === 'paused') return { error: pausedError }
  const opened = await Promise.all(
    selectValidSecrets(webhook, at).map(({ sealed }) => secretBox.open(sealed, id)),
  )
  const secrets = opened.filter((secret) => secret !== null)
  if (secrets.length === 0) return { error: 'the secret was stored by another installation; rotate it' }
  const { body } = stored
  const signed = {
    id: `msg_${parseDeliveryKey(key).delivery}`,
    timestamp: Math.floor(at.getTime() / 1000),
    body,
  }
  return post(
    webhook.url,
    {
      'content-type': contentType,
      'user-agent': 'StateEval-Webhooks',
      'webhook-id': signed.id,
      'webhook-timestamp': String(signed.timestamp),
      'webhook-signature': signPayload(secrets, signed),
    },
    body,
  )
}

/** When to try again; null where there is nothing more to do. */
function computeNextAttempt(
  { webhookRetriesMs, now }: DeliverySender & Pick<DeliveryParts, 'now'>,
  { tries }: StoredDelivery,
  { status, error, retryAfterMs = 0 }: PostAnswer,
): string | null {
  const wait = webhookRetriesMs[tries]
  if (error === undefined || status === 410 || error === pausedError || wait === undefined) return null
  const ms = Math.min(longestWaitMs, Math.max(wait, retryAfterMs))
  return new Date(now().getTime() + ms).toISOString()
}

function withAttempt(
  { dueAt: _, ...delivery }: StoredDelivery,
  entry: DeliveryAttempt,
  next: string | null,
  now: Date,
): StoredDelivery {
  return {
    ...delivery,
    attempts: [...delivery.attempts, entry].slice(-keptAttempts),
    tries: delivery.tries + 1,
    ...(next === null
      ? {
          status: entry.error === undefined ? 'delivered' : 'failed',
          finishedAt: now.toISOString(),
        }
      : { status: 'pending', dueAt: next }),
  }
}

async function pauseWebhook({ webhooks, now }: DeliveryParts, id: string, because: string): Promise<void> {
  await webhooks.update(id, (webhook) => ({
    ...webhook,
    status: 'paused',
    pausedBecause: because,
    updatedAt: now().toISOString(),
  }))
}

/** Ends a delivery whose attempts repeatedly killed their worker. */
export async function endDelivery(
  { deliveries, dueDeliveries, now }: DeliveryParts,
  { delivery, due }: DeliveryMessage,
  reason: string,
): Promise<void> {
  const at = now()
  await deliveries.update(delivery, (value) =>
    value.dueAt !== undefined && formatDueKey(value.dueAt, delivery) === due
      ? withAttempt(value, { at: at.toISOString(), ms: 0, error: reason }, null, at)
      : null,
  )
  await dueDeliveries.remove(due)
}
