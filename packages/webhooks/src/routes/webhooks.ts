/** Webhooks of the project. */
import { type CreateWebhook, ProblemError } from '@stateeval/contracts'
import type { NetworkRules } from '@stateeval/models'
import { type ServicePlatform, buildPage, type SecretBox, type PendingCleanup } from '@stateeval/service-kit'
import { listEveryWebhook, maxWebhooks } from '../announce.ts'
import type { DeliveryParts } from '../deliver.ts'
import { findWebhookUrlFault } from '../post.ts'
import { drawSecret } from '../secrets.ts'
import { type StoredWebhook, selectValidSecrets, describeWebhook } from '../stored.ts'
import { removeWebhook } from '../tidy.ts'
import { requireWebhook, createNoWebhook } from '../existing-webhook.ts'
import type { EvaluationRoute } from '@stateeval/jobs'

type WebhookReader = Pick<DeliveryParts, 'webhooks' | 'now'>
interface WebhookChanger extends WebhookReader, Pick<ServicePlatform, 'newId'> {
  secretBox: SecretBox
  webhookNetworks: NetworkRules
}

function checkUrl(url: string, networks: NetworkRules): void {
  const fault = findWebhookUrlFault(url, networks)
  if (fault !== null) throw new ProblemError('unprocessable', `url ${fault}`, '/url')
}

const selectWebhookFields = ({ url, events, description }: CreateWebhook) => ({
  url,
  ...(events !== undefined && { events }),
  ...(description !== undefined && { description }),
})

const createFullError = () =>
  new ProblemError(
    'conflict',
    `a project has ${maxWebhooks} webhooks, which is its limit; delete one that you no longer need`,
  )

export const createWebhook: EvaluationRoute<'createWebhook', WebhookChanger> = async ({ body }, context) => {
  const { webhooks, secretBox, newId, now, webhookNetworks } = context
  checkUrl(body.url, webhookNetworks)
  if ((await Array.fromAsync(listEveryWebhook(webhooks))).length >= maxWebhooks) throw createFullError()
  const id = newId('wh')
  const secret = drawSecret()
  const at = now().toISOString()
  const stored: StoredWebhook = {
    ...selectWebhookFields(body),
    status: 'active',
    secrets: [{ sealed: await secretBox.seal(secret, id), createdAt: at }],
    createdAt: at,
    updatedAt: at,
  }
  await webhooks.create(id, stored)
  // Others may have been created since they were counted.
  if ((await Array.fromAsync(listEveryWebhook(webhooks))).length > maxWebhooks) {
    await webhooks.remove(id)
    throw createFullError()
  }
  return {
    status: 201,
    body: { ...describeWebhook(id, stored, now()), secret },
    headers: { location: `/v1/webhooks/${id}` },
  }
}

export const listWebhooks: EvaluationRoute<'listWebhooks', WebhookReader> = async (
  { query: { limit = 50, cursor } },
  { webhooks, now },
) => {
  const entries = await webhooks.page(cursor, limit + 1)
  return {
    status: 200,
    body: buildPage(
      entries.map(({ id, value }) => describeWebhook(id, value, now())),
      limit,
    ),
  }
}

export const getWebhook: EvaluationRoute<'getWebhook', WebhookReader> = async (
  { params: { id } },
  context,
) => ({
  status: 200,
  body: describeWebhook(id, await requireWebhook(context, id), context.now()),
})

export const updateWebhook: EvaluationRoute<'updateWebhook', WebhookChanger> = async (
  { params: { id }, body },
  context,
) => {
  const { webhooks, now, webhookNetworks } = context
  await requireWebhook(context, id)
  checkUrl(body.url, webhookNetworks)
  const stored = await webhooks.update(id, ({ secrets, createdAt }) => ({
    ...selectWebhookFields(body),
    status: body.paused === true ? 'paused' : 'active',
    secrets,
    createdAt,
    updatedAt: now().toISOString(),
  }))
  if (!stored) throw createNoWebhook(id)
  return { status: 200, body: describeWebhook(id, stored, now()) }
}

export const deleteWebhook: EvaluationRoute<
  'deleteWebhook',
  WebhookReader & Pick<DeliveryParts, 'deliveries'> & { tidy: Pick<PendingCleanup, 'removing'> }
> = async ({ params: { id } }, context) => {
  await requireWebhook(context, id)
  await removeWebhook(context, id)
  return { status: 204 }
}

const hourMs = 3_600_000

export const rotateWebhookSecret: EvaluationRoute<'rotateWebhookSecret', WebhookChanger> = async (
  { params: { id }, body: { overlapHours = 24 } },
  context,
) => {
  const { webhooks, secretBox, now } = context
  await requireWebhook(context, id)
  const secret = drawSecret()
  const sealed = await secretBox.seal(secret, id)
  const at = now()
  const validUntil = new Date(at.getTime() + overlapHours * hourMs).toISOString()
  const stored = await webhooks.update(id, (webhook) => {
    // Two sign at once, at most: that of now, and that of just before.
    const [present] = selectValidSecrets(webhook, at)
    return {
      ...webhook,
      secrets: [
        { sealed, createdAt: at.toISOString() },
        ...(present && overlapHours > 0 ? [{ ...present, validUntil }] : []),
      ],
      updatedAt: at.toISOString(),
    }
  })
  if (!stored) throw createNoWebhook(id)
  return { status: 200, body: { ...describeWebhook(id, stored, at), secret } }
}
