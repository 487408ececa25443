/** Webhooks that a request names. */
import { ProblemError } from '@stateeval/contracts'
import type { RevisedDocuments } from '@stateeval/service-kit'
import type { StoredWebhook } from './stored.ts'

export const createNoWebhook = (id: string) =>
  new ProblemError('not-found', `there is no webhook ${id}; GET /v1/webhooks lists them`)

export async function requireWebhook(
  { webhooks }: { webhooks: Pick<RevisedDocuments<StoredWebhook>, 'get'> },
  id: string,
): Promise<StoredWebhook> {
  const webhook = await webhooks.get(id)
  if (webhook) return webhook
  throw createNoWebhook(id)
}
