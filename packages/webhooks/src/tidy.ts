/**
 * Sweeps webhooks: announces changes that were left out, queues due deliveries, and removes the old end of
 * the log.
 */
import { qualifyName, type RevisedDocuments, type PendingCleanup } from '@stateeval/service-kit'
import { type ChangeAnnouncer, type OwnerStore, listActiveIds } from '@stateeval/jobs'
import { listEveryWebhook } from './announce.ts'
import { type DeliveryParts, sweepDeliveries } from './deliver.ts'
import { formatDeliveryKey } from './stored.ts'

interface WebhookSweep extends DeliveryParts {
  announcer: ChangeAnnouncer
  owners: Pick<OwnerStore, 'get'>
  active: Pick<RevisedDocuments<object>, 'page'>
}

export async function sweepWebhooks(context: WebhookSweep, signal: AbortSignal): Promise<void> {
  for (const id of await listActiveIds(context.active)) {
    if (signal.aborted) return
    const owner = await context.owners.get(id)
    if (owner) await context.announcer.changed(owner)
  }
  await sweepDeliveries(context, signal)
  await removeOldDeliveries(context, signal)
}

const keptMs = 30 * 86_400_000
const forgetEveryMs = 3_600_000
const together = 100
/** When each project's log is looked at again, in this process. */
const nextLooks = new Map<string, number>()

async function removeOldDeliveries(
  { webhooks, deliveries, now }: WebhookSweep,
  signal: AbortSignal,
): Promise<void> {
  const project = qualifyName('')
  if (performance.now() < (nextLooks.get(project) ?? 0)) return
  const before = new Date(now().getTime() - keptMs).toISOString()
  for await (const { id } of listEveryWebhook(webhooks))
    for (let cursor: string | undefined = formatDeliveryKey(id, ''); cursor !== undefined;) {
      const entries: Awaited<ReturnType<typeof deliveries.page>> = await deliveries.page(cursor, together)
      cursor = undefined
      for (const entry of entries) {
        if (signal.aborted) return
        // In the order of time: what follows is younger, or another webhook's.
        if (!entry.id.startsWith(formatDeliveryKey(id, '')) || entry.value.createdAt >= before) break
        if (entry.value.finishedAt !== undefined && entry.value.finishedAt < before)
          await deliveries.remove(entry.id)
        cursor = entry.id
      }
    }
  nextLooks.set(project, performance.now() + forgetEveryMs)
}

/** Deletes a webhook with its log. The sweep finishes an interrupted deletion. */
export function removeWebhook(
  {
    webhooks,
    deliveries,
    tidy,
  }: Pick<DeliveryParts, 'webhooks' | 'deliveries'> & { tidy: Pick<PendingCleanup, 'removing'> },
  id: string,
): Promise<void> {
  return tidy.removing(id, async () => {
    await webhooks.remove(id)
    const prefix = formatDeliveryKey(id, '')
    for (;;) {
      const entries = (await deliveries.page(prefix, together)).filter((entry) => entry.id.startsWith(prefix))
      if (entries.length === 0) return
      for (const entry of entries) await deliveries.remove(entry.id)
    }
  })
}
