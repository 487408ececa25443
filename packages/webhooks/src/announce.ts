/**
 * Announces changes to webhooks. The owner's document contains its changes, so none is lost: the author of
 * a change announces it immediately, and after a kill the sweep does. A change is announced once.
 */
import type { WebhookEventType } from '@stateeval/contracts'
import {
  listEveryItem,
  type FixedDocuments,
  qualifyName,
  type ServicePlatform,
  type RevisedDocuments,
} from '@stateeval/service-kit'
import { LRUCache } from 'lru-cache'
import type { ChangeAnnouncer } from '@stateeval/jobs'
import { type DeliveryParts, queueEvent } from './deliver.ts'
import { type AnnouncedEvent, buildChangeEvent } from './event.ts'
import type { StoredWebhook } from './stored.ts'

interface AnnouncerParts extends DeliveryParts, Pick<ServicePlatform, 'now'> {
  /** Announced changes by owner and change; deletions also by time. */
  announced: FixedDocuments<{ at: string }>
}

/** The maximum per project. */
export const maxWebhooks = 20
const together = 100

export const listEveryWebhook = (webhooks: Pick<RevisedDocuments<StoredWebhook>, 'page'>) =>
  listEveryItem(
    async (cursor, limit) =>
      (await webhooks.page(cursor, limit)).map(({ id, value }) => ({ id, webhook: value })),
    together,
  )

export function createAnnouncer(context: AnnouncerParts): ChangeAnnouncer {
  const { webhooks, announced, now } = context
  /** Changes that this process knows to be announced. */
  const known = new LRUCache<string, true>({ max: 10_000 })
  const receivers = async (type: string, at: string): Promise<string[]> => {
    const ids: string[] = []
    for await (const { id, webhook } of listEveryWebhook(webhooks)) {
      const { status, events, createdAt } = webhook
      const wants = events === undefined || events.includes(type as WebhookEventType)
      if (status === 'active' && wants && createdAt <= at) ids.push(id)
    }
    return ids
  }
  const tell = async (ids: readonly string[], event: AnnouncedEvent) => {
    for (const id of ids) await queueEvent(context, id, event)
  }
  return {
    async changed(owner) {
      for (const change of owner.changes ?? []) {
        const key = `${owner.id}/${change.n}`
        const name = qualifyName(key)
        if (known.has(name)) continue
        const ids = await receivers(`stateeval.${owner.entity}.${change.what}`, change.at)
        if (ids.length > 0 && (await announced.get(key)) === null) {
          await tell(ids, await buildChangeEvent(owner, change))
          await announced.put(key, { at: change.at })
        }
        known.set(name, true)
      }
    },
    async removed(owner) {
      const key = `${owner.id}/deleted`
      // The time of the first try, so that a repeated one is the same event.
      await announced.put(key, { at: now().toISOString() })
      const { at } = (await announced.get(key)) ?? { at: now().toISOString() }
      const ids = await receivers(`stateeval.${owner.entity}.deleted`, at)
      if (ids.length > 0)
        await tell(ids, await buildChangeEvent(owner, { what: 'deleted', n: 'deleted', at }))
    },
  }
}
