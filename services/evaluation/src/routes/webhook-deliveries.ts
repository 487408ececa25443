/** The log of a webhook's deliveries. */
import { ProblemError } from '@stateeval/contracts'
import { pageOf, type Platform } from '@stateeval/service-kit'
import { type DeliveryParts, makeDue, queueEvent } from '../webhooks/deliver.ts'
import { pingEvent } from '../webhooks/event.ts'
import { deliveryKey, deliveryResource, type StoredDelivery } from '../webhooks/stored.ts'
import { existingWebhook, noWebhook } from './existing-webhook.ts'
import type { Route } from './route.ts'

async function existingDelivery(
  context: DeliveryParts,
  { id, delivery }: { id: string; delivery: string },
): Promise<{ key: string; stored: StoredDelivery }> {
  await existingWebhook(context, id)
  const key = deliveryKey(id, delivery)
  const stored = await context.deliveries.get(key)
  if (stored) return { key, stored }
  throw new ProblemError(
    'not-found',
    `the webhook ${id} has no delivery ${delivery}; GET /v1/webhooks/${id}/deliveries lists them`,
  )
}

async function mustBeActive(context: DeliveryParts, id: string): Promise<void> {
  if ((await existingWebhook(context, id)).status === 'paused')
    throw new ProblemError('conflict', `the webhook ${id} is paused; make it active: PUT /v1/webhooks/${id}`)
}

export const listDeliveries: Route<'listDeliveries', DeliveryParts> = async (
  { params: { id }, query: { limit = 50, cursor = '' } },
  context,
) => {
  await existingWebhook(context, id)
  const entries = await context.deliveries.page(deliveryKey(id, cursor), limit + 1)
  const own = entries.filter((entry) => entry.id.startsWith(deliveryKey(id, '')))
  return {
    status: 200,
    body: pageOf(
      own.map((entry) => deliveryResource(entry.id, entry.value)),
      limit,
    ),
  }
}

export const getDelivery: Route<'getDelivery', DeliveryParts> = async ({ params }, context) => {
  const { key, stored } = await existingDelivery(context, params)
  return { status: 200, body: { ...deliveryResource(key, stored), body: stored.body } }
}

export const redeliver: Route<'redeliver', DeliveryParts> = async ({ params }, context) => {
  const { key, stored } = await existingDelivery(context, params)
  await mustBeActive(context, params.id)
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
  return { status: 202, body: deliveryResource(key, reopened ?? stored) }
}

export const pingWebhook: Route<'pingWebhook', DeliveryParts & Pick<Platform, 'newId'>> = async (
  { params: { id } },
  context,
) => {
  await mustBeActive(context, id)
  const event = await pingEvent(context.newId('ping'), id, context.now().toISOString())
  const key = await queueEvent(context, id, event)
  const stored = await context.deliveries.get(key)
  if (!stored) throw noWebhook(id)
  const resource = deliveryResource(key, stored)
  return {
    status: 202,
    body: resource,
    headers: { location: `/v1/webhooks/${id}/deliveries/${resource.id}` },
  }
}
