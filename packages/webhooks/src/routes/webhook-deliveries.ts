/** The log of a webhook's deliveries. */
import { ProblemError } from '@stateeval/contracts'
import { buildPage, type ServicePlatform } from '@stateeval/service-kit'
import { type DeliveryParts, makeDue, queueEvent } from '../deliver.ts'
import { buildPingEvent } from '../event.ts'
import { formatDeliveryKey, describeDelivery, type StoredDelivery } from '../stored.ts'
import { requireWebhook, createNoWebhook } from '../existing-webhook.ts'
import type { EvaluationRoute } from '@stateeval/jobs'

async function requireDelivery(
  context: DeliveryParts,
  { id, delivery }: { id: string; delivery: string },
): Promise<{ key: string; stored: StoredDelivery }> {
  await requireWebhook(context, id)
  const key = formatDeliveryKey(id, delivery)
  const stored = await context.deliveries.get(key)
  if (stored) return { key, stored }
  throw new ProblemError(
    'not-found',
    `the webhook ${id} has no delivery ${delivery}; GET /v1/webhooks/${id}/deliveries lists them`,
  )
}

async function requireActive(context: DeliveryParts, id: string): Promise<void> {
  if ((await requireWebhook(context, id)).status === 'paused')
    throw new ProblemError('conflict', `the webhook ${id} is paused; make it active: PUT /v1/webhooks/${id}`)
}

export const listDeliveries: EvaluationRoute<'listDeliveries', DeliveryParts> = async (
  { params: { id }, query: { limit = 50, cursor = '' } },
  context,
) => {
  await requireWebhook(context, id)
  const entries = await context.deliveries.page(formatDeliveryKey(id, cursor), limit + 1)
  const own = entries.filter((entry) => entry.id.startsWith(formatDeliveryKey(id, '')))
  return {
    status: 200,
    body: buildPage(
      own.map((entry) => describeDelivery(entry.id, entry.value)),
      limit,
    ),
  }
}

export const getDelivery: EvaluationRoute<'getDelivery', DeliveryParts> = async ({ params }, context) => {
  const { key, stored } = await requireDelivery(context, params)
  return { status: 200, body: { ...describeDelivery(key, stored), body: stored.body } }
}

export const redeliver: EvaluationRoute<'redeliver', DeliveryParts> = async ({ params }, context) => {
  const { key, stored } = await requireDelivery(context, params)
  await requireActive(context, params.id)
  if (stored.dueAt !== undefined) {
    // A kill may have kept it from being queued.
    await makeDue(context, key, stored.dueAt)
    throw new ProblemError(
      'conflict',
      `the delivery ${params.delivery} is pending; its next attempt is at ${stored.dueAt}`,
    )
  }
  const dueAt = context.now().toISOString()
  const reopened = await context.deliveries.update(key, ({ finishedAt: _, ...delivery }) => ({
    ...delivery,
    status: 'pending',
    tries: 0,
    dueAt,
  }))
  await makeDue(context, key, dueAt)
  return { status: 202, body: describeDelivery(key, reopened ?? stored) }
}

export const pingWebhook: EvaluationRoute<
  'pingWebhook',
  DeliveryParts & Pick<ServicePlatform, 'newId'>
> = async ({ params: { id } }, context) => {
  await requireActive(context, id)
  const event = await buildPingEvent(context.newId('ping'), id, context.now().toISOString())
  const key = await queueEvent(context, id, event)
  const stored = await context.deliveries.get(key)
  if (!stored) throw createNoWebhook(id)
  const resource = describeDelivery(key, stored)
  return {
    status: 202,
    body: resource,
    headers: { location: `/v1/webhooks/${id}/deliveries/${resource.id}` },
  }
}
