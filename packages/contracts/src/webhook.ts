/** Webhooks: receivers of changes of evaluations and benchmarks, and the outcome of deliveries. */
import Type, { type Static } from 'typebox'
import { defineRecord } from './basics/record.ts'

const closedObject = { additionalProperties: false } as const
const defineMoment = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/** The changes of an evaluation or a benchmark. */
export const changes = ['started', 'resumed', 'succeeded', 'failed', 'cancelled', 'deleted'] as const
export type EntityChange = (typeof changes)[number]
/** `type` of a CloudEvent. */
export const webhookEventTypes = (['evaluation', 'benchmark'] as const).flatMap((entity) =>
  changes.map((change) => `stateeval.${entity}.${change}` as const),
)
export const pingEventType = 'stateeval.webhook.ping'
export const WebhookEventType = Type.Enum(webhookEventTypes)
export type WebhookEventType = (typeof webhookEventTypes)[number]

export const webhookIdPattern = '^wh_[0-9a-z]{1,64}$'
export const WebhookId = Type.String({ pattern: webhookIdPattern })
export const deliveryIdPattern = '^[0-9a-z]{21}$'
export const DeliveryId = Type.String({
  pattern: deliveryIdPattern,
  description: 'Sorts by the event’s time',
})

const webhookFields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description:
      'http or https, without a user or password. A host that is not public must be in STATEEVAL_WEBHOOK_NETWORKS of the service',
  }),
  events: Type.Optional(
    Type.Array(WebhookEventType, {
      minItems: 1,
      uniqueItems: true,
      description: 'Types of the events to send. Default: all',
    }),
  ),
  description: Type.Optional(Type.String({ maxLength: 300, description: 'Purpose of the webhook' })),
}
export const CreateWebhook = Type.Object(webhookFields, closedObject)
export type CreateWebhook = Static<typeof CreateWebhook>
export const UpdateWebhook = Type.Object(
  {
    ...webhookFields,
    paused: Type.Optional(Type.Boolean({ description: 'Paused webhooks get no events. Default: false' })),
  },
  closedObject,
)

const WebhookSecret = Type.Object(
  {
    createdAt: defineMoment(),
    validUntil: Type.Optional(defineMoment('End of its use. Absent for the current secret')),
  },
  closedObject,
)
export const Webhook = Type.Object(
  {
    id: WebhookId,
    url: webhookFields.url,
    events: Type.Array(WebhookEventType),
    description: webhookFields.description,
    status: Type.Enum(['active', 'paused'] as const),
    pausedBecause: Type.Optional(Type.String({ description: 'Why the service paused it' })),
    secrets: Type.Array(WebhookSecret, { description: 'The secrets in use, without their values' }),
    createdAt: defineMoment(),
    updatedAt: defineMoment(),
    links: defineRecord(Type.String()),
  },
  closedObject,
)
export type Webhook = Static<typeof Webhook>
/** A new webhook with its secret, in the form of Standard Webhooks. */
export const CreatedWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({ description: 'Verifies signatures (whsec_…). Shown only here' }),
  },
  closedObject,
)
export const RotateWebhookSecret = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 720,
        default: 24,
        description: 'Hours for which the previous secret also signs',
      }),
    ),
  },
  closedObject,
)

const DeliveryStatus = Type.Enum(['pending', 'delivered', 'failed'] as const)
const DeliveryAttempt = Type.Object(
  {
    at: defineMoment(),
    ms: Type.Integer({ minimum: 0, description: 'Duration in milliseconds' }),
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer' })),
    error: Type.Optional(Type.String({ description: 'Why the attempt failed' })),
  },
  closedObject,
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>
export const Delivery = Type.Object(
  {
    id: DeliveryId,
    webhook: WebhookId,
    type: Type.String({ description: 'Type of the event' }),
    event: Type.String({ description: 'Id of the event' }),
    subject: Type.String({ description: 'The evaluation or benchmark' }),
    status: DeliveryStatus,
    createdAt: defineMoment('When the event happened'),
    finishedAt: Type.Optional(defineMoment()),
    nextAttemptAt: Type.Optional(defineMoment()),
    attempts: Type.Array(DeliveryAttempt),
    links: defineRecord(Type.String()),
  },
  closedObject,
)
export type Delivery = Static<typeof Delivery>
export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    body: Type.String({ description: 'The body of the request: the CloudEvent as JSON' }),
  },
  closedObject,
)
