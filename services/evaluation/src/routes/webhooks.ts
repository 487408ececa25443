/** Webhooks of the project. */
import { type CreateWebhook, ProblemError } from '@stateeval/contracts'
import type { Networks } from '@stateeval/models'
import { type Platform, pageOf, type SecretBox, type PendingCleanup } from '@stateeval/service-kit'
import { everyWebhook, maxWebhooks } from '../webhooks/announce.ts'
import type { DeliveryParts } from '../webhooks/deliver.ts'
import { faultOfUrl } from '../webhooks/post.ts'
import { newSecret } from '../webhooks/secrets.ts'
import { type StoredWebhook, validSecrets, webhookResource } from '../webhooks/stored.ts'
import { removeWebhook } from '../webhooks/tidy.ts'
import { existingWebhook, noWebhook } from './existing-webhook.ts'
import type { Route } from './route.ts'

type Read = Pick<DeliveryParts, 'webhooks' | 'now'>
interface Change extends Read, Pick<Platform, 'newId'> {
  secretBox: SecretBox
  webhookNetworks: Networks
}

function checkUrl(url: string, networks: Networks): void {
  const fault = faultOfUrl(url, networks)
  if (fault !== null) throw new ProblemError('unprocessable', `url ${fault}`, '/url')
}

const setBy = ({ url, events, description }: CreateWebhook) => ({
  url,
  ...(events !== undefined && { events }),
  ...(description !== undefined && { description }),
})

const full = () =>
  new ProblemError(
    'conflict',
    `a project has ${maxWebhooks} webhooks, which is its limit; delete one that you no longer need`,
  )

export const createWebhook: Route<'createWebhook', Change> = async ({ body }, context) => {
  const { webhooks, secretBox, newId, now, webhookNetworks } = context
  checkUrl(body.url, webhookNetworks)
  if ((await Array.fromAsync(everyWebhook(webhooks))).length >= maxWebhooks) throw full()
  const id = newId('wh')
  const secret = newSecret()
  const at = now().toISOString()
  const stored: StoredWebhook = {
    ...setBy(body),
    status: 'active',
    secrets: [{ sealed: await secretBox.seal(secret, id), createdAt: at }],
    createdAt: at,
    updatedAt: at,
  }
  await webhooks.create(id, stored)
  // Others may have been created since they were counted.
  if ((await Array.fromAsync(everyWebhook(webhooks))).length > maxWebhooks) {
    await webhooks.remove(id)
    throw full()
  }
  return {
    status: 201,
    body: { ...webhookResource(id, stored, now()), secret },
    headers: { location: `/v1/webhooks/${id}` },
  }
}

export const listWebhooks: Route<'listWebhooks', Read> = async (
  { query: { limit = 50, cursor } },
  { webhooks, now },
) => {
  const entries = await webhooks.page(cursor, limit + 1)
  return {
    status: 200,
    body: pageOf(
      entries.map(({ id, value }) => webhookResource(id, value, now())),
      limit,
    ),
  }
}

export const getWebhook: Route<'getWebhook', Read> = async ({ params: { id } }, context) => ({
  status: 200,
  body: webhookResource(id, await existingWebhook(context, id), context.now()),
})

export const updateWebhook: Route<'updateWebhook', Change> = async ({ params: { id }, body }, context) => {
  const { webhooks, now, webhookNetworks } = context
  await existingWebhook(context, id)
  checkUrl(body.url, webhookNetworks)
  const stored = await webhooks.update(id, ({ secrets, createdAt }) => ({
    ...setBy(body),
    status: body.paused === true ? 'paused' : 'active',
    secrets,
    createdAt,
    updatedAt: now().toISOString(),
  }))
  if (!stored) throw noWebhook(id)
  return { status: 200, body: webhookResource(id, stored, now()) }
}

export const deleteWebhook: Route<
  'deleteWebhook',
  Read & Pick<DeliveryParts, 'deliveries'> & { tidy: Pick<PendingCleanup, 'removing'> }
> = async ({ params: { id } }, context) => {
  await existingWebhook(context, id)
  await removeWebhook(context, id)
  return { status: 204 }
}

const hourMs = 3_600_000

export const rotateWebhookSecret: Route<'rotateWebhookSecret', Change> = async (
  { params: { id }, body: { overlapHours = 24 } },
  context,
) => {
  const { webhooks, secretBox, now } = context
  await existingWebhook(context, id)
  const secret = newSecret()
  const sealed = await secretBox.seal(secret, id)
  const at = now()
  const validUntil = new Date(at.getTime() + overlapHours * hourMs).toISOString()
  const stored = await webhooks.update(id, (webhook) => {
    // Two sign at once, at most: that of now, and that of just before.
    const [present] = validSecrets(webhook, at)
    return {
      ...webhook,
      secrets: [
        { sealed, createdAt: at.toISOString() },
        ...(present && overlapHours > 0 ? [{ ...present, validUntil }] : []),
      ],
      updatedAt: at.toISOString(),
    }
  })
  if (!stored) throw noWebhook(id)
  return { status: 200, body: { ...webhookResource(id, stored, at), secret } }
}
