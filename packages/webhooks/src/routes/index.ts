/** Handlers of webhooks and their deliveries. */
import * as deliveries from './webhook-deliveries.ts'
import * as webhooks from './webhooks.ts'

export const webhookHandlers = { ...webhooks, ...deliveries }
