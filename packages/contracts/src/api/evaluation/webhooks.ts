/** Webhooks: receivers of events, their secrets, and the log of deliveries. */
import Type from 'typebox'
import { exampleDelivery, exampleEvent, exampleWebhook } from '../../examples/webhooks.ts'
import { IdempotencyHeaders, definePage, definePageQuery } from '../../job.ts'
import { defineOperations } from '../../operation.ts'
import {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  DeliveryDetail,
  DeliveryId,
  deliveryIdPattern,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookId,
  webhookIdPattern,
} from '../../webhook.ts'

const Params = Type.Object({ id: WebhookId })
const DeliveryParams = Type.Object({ id: WebhookId, delivery: DeliveryId })
const exampleSecret = 'whsec_…'
const { url, events, description } = exampleWebhook

export const webhookOperations = defineOperations({
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    scope: 'admin',
    tag: 'webhooks',
    summary: 'Create a webhook',
    description:
      'The service sends each change of the project’s evaluations and benchmarks to the webhook as a CloudEvent, signed by Standard Webhooks. The response contains the secret, which is never shown again. Therefore the route does not support an Idempotency-Key.',
    body: CreateWebhook,
    secret: true,
    success: {
      201: {
        description: 'The webhook. Location has its URL',
        schema: CreatedWebhook,
        example: { ...exampleWebhook, secret: exampleSecret },
      },
    },
    errors: [400, 409, 413, 415, 422],
    example: { url, events, description },
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    scope: 'read',
    tag: 'webhooks',
    summary: 'List webhooks',
    description: 'The project’s webhooks, oldest first.',
    query: definePageQuery(webhookIdPattern),
    success: {
      200: { description: 'A page', schema: definePage(Webhook), example: { items: [exampleWebhook] } },
    },
    errors: [400],
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/webhooks/:id',
    scope: 'read',
    tag: 'webhooks',
    summary: 'A webhook',
    description:
      'Returns the URL, the event types, and the start of each secret’s use, but never a secret itself.',
    params: Params,
    success: { 200: { description: 'The webhook', schema: Webhook, example: exampleWebhook } },
    errors: [400, 404],
  },
  updateWebhook: {
    method: 'PUT',
    path: '/v1/webhooks/:id',
    scope: 'admin',
    tag: 'webhooks',
    summary: 'Change a webhook',
    description: 'Replaces all settings except the secrets. Changing a paused webhook makes it active.',
    params: Params,
    body: UpdateWebhook,
    success: { 200: { description: 'The webhook', schema: Webhook, example: exampleWebhook } },
    errors: [400, 404, 413, 415, 422],
    example: { url, events, description, paused: false },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    scope: 'admin',
    tag: 'webhooks',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook with its secrets and its delivery log. Pending deliveries are dropped.',
    params: Params,
    success: { 204: { description: 'Deleted', schema: null } },
    errors: [400, 404],
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/:id/rotate',
    scope: 'admin',
    tag: 'webhooks',
    summary: 'Rotate the secret of a webhook',
    description:
      'Creates a secret, which is shown only in this response. Until the overlap ends, each request has two signatures, one per secret.',
    params: Params,
    body: RotateWebhookSecret,
    secret: true,
    success: {
      200: {
        description: 'The webhook with its new secret',
        schema: CreatedWebhook,
        example: {
          ...exampleWebhook,
          secrets: [
            { createdAt: '2026-02-01T10:00:00.000Z' },
            { createdAt: '2026-01-05T10:00:00.000Z', validUntil: '2026-02-02T10:00:00.000Z' },
          ],
          secret: exampleSecret,
        },
      },
    },
    errors: [400, 404, 413, 415],
    example: { overlapHours: 24 },
  },
  pingWebhook: {
    method: 'POST',
    path: '/v1/webhooks/:id/ping',
    scope: 'admin',
    tag: 'webhooks',
    summary: 'Send a test event',
    description:
      'The event has the type stateeval.webhook.ping, which every webhook receives. A paused webhook receives none.',
    params: Params,
    headers: IdempotencyHeaders,
    success: {
      202: {
        description: 'The delivery. Location has its URL',
        schema: Delivery,
        example: { ...exampleDelivery, type: 'stateeval.webhook.ping' },
      },
    },
    errors: [400, 404, 409],
  },
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    scope: 'read',
    tag: 'webhooks',
    summary: 'List the deliveries of a webhook',
    description: 'Oldest first, with all attempts. The log keeps a delivery for 30 days after its end.',
    params: Params,
    query: definePageQuery(deliveryIdPattern),
    success: {
      200: { description: 'A page', schema: definePage(Delivery), example: { items: [exampleDelivery] } },
    },
    errors: [400, 404],
  },
  getDelivery: {
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries/:delivery',
    scope: 'read',
    tag: 'webhooks',
    summary: 'A delivery',
    description: 'The attempts of the delivery, and the event that it sends.',
    params: DeliveryParams,
    success: {
      200: {
        description: 'The delivery',
        schema: DeliveryDetail,
        example: { ...exampleDelivery, body: JSON.stringify(exampleEvent) },
      },
    },
    errors: [400, 404],
  },
  redeliver: {
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:delivery/redeliver',
    scope: 'run',
    tag: 'webhooks',
    summary: 'Deliver again',
    description: 'Sends the same event with the same webhook-id again, with a new set of attempts.',
    params: DeliveryParams,
    headers: IdempotencyHeaders,
    success: {
      202: {
        description: 'The delivery',
        schema: Delivery,
        example: { ...exampleDelivery, status: 'pending' },
      },
    },
    errors: [400, 404, 409],
  },
})
