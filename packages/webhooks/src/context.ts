import type { NetworkRules } from '@stateeval/models'
import {
  createSecretBox,
  type DocumentStore,
  type FixedDocuments,
  openInstallationKey,
  type PendingCleanup,
  type ServicePlatform,
} from '@stateeval/service-kit'
import type { DeliveryParts, DeliverySender } from './deliver.ts'
import { createPost } from './post.ts'

/** What handlers of webhooks and attempts of deliveries may use. */
export interface WebhooksContext extends DeliveryParts, DeliverySender, Pick<ServicePlatform, 'newId'> {
  webhookNetworks: NetworkRules
  tidy: Pick<PendingCleanup, 'removing'>
}

interface WebhookSettings extends Pick<WebhooksContext, 'webhookNetworks' | 'webhookRetriesMs' | 'tidy'> {
  /** The environment, for proxies. */
  env: Readonly<Record<string, string | undefined>>
}

export function buildWebhooksContext(
  { mongo, send, now, log, newId }: Pick<ServicePlatform, 'mongo' | 'send' | 'now' | 'log' | 'newId'>,
  store: DocumentStore,
  { env, webhookNetworks, ...settings }: WebhookSettings,
): WebhooksContext {
  return {
    ...{ send, now, log, newId },
    webhooks: store.revised('webhooks'),
    deliveries: store.revised('deliveries'),
    dueDeliveries: store.revised('due-deliveries'),
    secretBox: createSecretBox(openInstallationKey(mongo, 'webhook-secrets')),
    post: createPost(webhookNetworks, env),
    webhookNetworks,
    ...settings,
  }
}

/** Changes of owners that webhooks were told of. */
export const openAnnounced = (store: DocumentStore): FixedDocuments<{ at: string }> =>
  store.fixed('announced')
