/** Stored webhooks and deliveries, and their form in responses. */
import {
  type Delivery,
  type DeliveryAttempt,
  sha256,
  type Webhook,
  webhookEventTypes,
} from '@stateeval/contracts'

/** A secret that signs, sealed; the newest first. */
interface StoredSecret {
  sealed: string
  createdAt: string
  /** Absent: the present one. */
  validUntil?: string
}
export interface StoredWebhook {
  url: string
  /** Absent: all. */
  events?: Webhook['events']
  description?: string
  status: Webhook['status']
  pausedBecause?: string
  secrets: StoredSecret[]
  createdAt: string
  updatedAt: string
}
export interface StoredDelivery {
  type: string
  event: string
  subject: string
  body: string
  createdAt: string
  status: Delivery['status']
  attempts: DeliveryAttempt[]
  /** Attempts since it was queued. */
  tries: number
  /** When the next attempt is due; absent once it has ended. */
  dueAt?: string
  finishedAt?: string
}

export const selectValidSecrets = ({ secrets }: StoredWebhook, at: Date): StoredSecret[] =>
  secrets.filter(({ validUntil }) => validUntil === undefined || new Date(validUntil) > at)

export function describeWebhook(id: string, stored: StoredWebhook, at: Date): Webhook {
  const { url, events = [...webhookEventTypes], description, status, pausedBecause } = stored
  const self = `/v1/webhooks/${id}`
  return {
    id,
    url,
    events,
    ...(description !== undefined && { description }),
    status,
    ...(pausedBecause !== undefined && { pausedBecause }),
    secrets: selectValidSecrets(stored, at).map(({ sealed: _, ...secret }) => secret),
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    links: { self, deliveries: `${self}/deliveries` },
  }
}

/** The key of a delivery: by webhook, then by the event’s time. */
export const formatDeliveryKey = (webhook: string, delivery: string) => `${webhook}/${delivery}`
export const parseDeliveryKey = (key: string) => {
  const [webhook = '', delivery = ''] = key.split('/')
  return { webhook, delivery }
}
const formatTimeText = (at: string) => new Date(at).getTime().toString(36).padStart(9, '0')
/** The id of an event's delivery: the same in each webhook, for every repetition. */
export const formatDeliveryId = (event: string, at: string) =>
  `${formatTimeText(at)}${sha256(event).slice(0, 12)}`
/** The key of a due delivery's mark, ordered by time. */
export const formatDueKey = (at: string, delivery: string) => `${formatTimeText(at)}/${delivery}`
export const isDue = (key: string, now: Date) => key.slice(0, 9) <= formatTimeText(now.toISOString())

export function describeDelivery(key: string, stored: StoredDelivery): Delivery {
  const { webhook, delivery: id } = parseDeliveryKey(key)
  const { type, event, subject, status, createdAt, finishedAt, dueAt, attempts } = stored
  const ofWebhook = `/v1/webhooks/${webhook}`
  return {
    ...{ id, webhook, type, event, subject, status, createdAt },
    ...(finishedAt !== undefined && { finishedAt }),
    ...(dueAt !== undefined && { nextAttemptAt: dueAt }),
    attempts,
    links: { self: `${ofWebhook}/deliveries/${id}`, webhook: ofWebhook },
  }
}
