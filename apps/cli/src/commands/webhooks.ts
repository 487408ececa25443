import type { Delivery, Webhook } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatMinute } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

interface WebhookOptions {
  url?: string
  events?: string
  description?: string
  overlap?: string
}

const kept =
  'Keep the secret now: it is not shown again. Receivers verify signatures with it (Standard Webhooks).'

/** Merges the options with the webhook's current settings. */
function buildWebhookSettings({ url, events, description }: WebhookOptions, before?: Webhook) {
  const address = url ?? before?.url
  if (address === undefined)
    throw new Failure(
      'The webhook has no URL. Give it with --url, such as --url https://hooks.example.com/stateeval.',
    )
  const types = events === undefined ? before?.events : events.split(',').map((type) => type.trim())
  const text = description ?? before?.description
  return {
    url: address,
    ...(types !== undefined && { events: types as Webhook['events'] }),
    ...(text !== undefined && { description: text }),
  }
}

function parseHours(text = '24'): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new Failure(`Cannot read --overlap ${text}. Use hours from 0 to 720.`)
}

async function list(terminal: CommandTerminal): Promise<void> {
  const webhooks = await readEveryPage<Webhook>((query) => connectEvaluation().listWebhooks({ query }))
  terminal.result(webhooks, () =>
    webhooks.length === 0
      ? 'There are no webhooks.'
      : formatTable(
          ['id', 'url', 'events', 'status', 'description'],
          webhooks.map(({ id, url, events, status, pausedBecause, description }) => [
            id,
            url,
            events.length,
            pausedBecause === undefined ? status : `${status}: ${pausedBecause}`,
            description,
          ]),
        ),
  )
}

function show(webhook: Webhook, terminal: CommandTerminal): void {
  const { links: _, secrets, events, ...rest } = webhook
  terminal.result(webhook, () =>
    [
      ...Object.entries(rest).map(([name, value]) => `${name}: ${value}`),
      `events: ${events.join(', ')}`,
      ...secrets.map(
        ({ createdAt, validUntil }) =>
          `secret: of ${formatMinute(createdAt)} UTC${validUntil ? `, until ${formatMinute(validUntil)} UTC` : ''}`,
      ),
    ].join('\n'),
  )
}

const getLastError = ({ attempts }: Delivery) => attempts.at(-1)?.error

async function showDeliveries(id: string, terminal: CommandTerminal): Promise<void> {
  const deliveries = await readEveryPage<Delivery>((query) =>
    connectEvaluation().listDeliveries({ params: { id }, query }),
  )
  terminal.result(deliveries, () =>
    deliveries.length === 0
      ? 'No deliveries yet.'
      : formatTable(
          ['id', 'event', 'of', 'at (UTC)', 'status', 'tries', 'next (UTC)', 'last error'],
          deliveries.map((delivery) => [
            delivery.id,
            delivery.type.replace('stateeval.', ''),
            delivery.subject,
            formatMinute(delivery.createdAt),
            delivery.status,
            delivery.attempts.length,
            delivery.nextAttemptAt && formatMinute(delivery.nextAttemptAt),
            getLastError(delivery),
          ]),
        ),
  )
}

type WebhookAction = (
  id: string,
  options: WebhookOptions,
  terminal: CommandTerminal,
  delivery?: string,
) => Promise<void>

/** Actions on one webhook. */
const actions: Record<string, WebhookAction> = {
  show: async (id, _, terminal) => show(await connectEvaluation().getWebhook({ params: { id } }), terminal),
  async update(id, options, terminal) {
    const params = { id }
    const before = await connectEvaluation().getWebhook({ params })
    const paused = before.status === 'paused'
    show(
      await connectEvaluation().updateWebhook({
        params,
        body: { ...buildWebhookSettings(options, before), paused },
      }),
      terminal,
    )
  },
  pause: (id, _, terminal) => setPaused(id, true, terminal),
  resume: (id, _, terminal) => setPaused(id, false, terminal),
  async delete(id, _, terminal) {
    await connectEvaluation().deleteWebhook({ params: { id } })
    terminal.result({ id, status: 'deleted' }, () => `${id} is deleted.`)
  },
  async rotate(id, { overlap }, terminal) {
    const overlapHours = parseHours(overlap)
    const rotated = await connectEvaluation().rotateWebhookSecret({ params: { id }, body: { overlapHours } })
    terminal.result(rotated, () =>
      [rotated.secret, '', `The previous secret also signs for ${overlapHours} hours. ${kept}`].join('\n'),
    )
  },
  async ping(id, _, terminal) {
    const delivery = await connectEvaluation().pingWebhook({ params: { id } })
    terminal.result(
      delivery,
      () => `A test event is queued. Check its delivery: npx stateeval webhooks deliveries ${id}`,
    )
  },
  deliveries: (id, _, terminal) => showDeliveries(id, terminal),
  async redeliver(id, _, terminal, delivery) {
    if (delivery === undefined)
      throw new Failure(`Which delivery? Name its id; npx stateeval webhooks deliveries ${id} lists them.`)
    const again = await connectEvaluation().redeliver({ params: { id, delivery } })
    terminal.result(again, () => `${again.type} of ${again.subject} is sent again.`)
  },
}

async function setPaused(id: string, paused: boolean, terminal: CommandTerminal): Promise<void> {
  const params = { id }
  const before = await connectEvaluation().getWebhook({ params })
  show(
    await connectEvaluation().updateWebhook({
      params,
      body: { ...buildWebhookSettings({}, before), paused },
    }),
    terminal,
  )
}

export const webhooks = defineCommand<WebhookOptions>({
  name: 'webhooks [action] [id] [delivery]',
  describe: `Manage webhooks, which receive signed events about evaluations and benchmarks: list, create, ${Object.keys(actions).join(', ')}`,
  example: [
    'npx stateeval webhooks create --url https://hooks.example.com/stateeval --events stateeval.evaluation.succeeded',
    'npx stateeval webhooks ping wh_mkf4j2q10a7c1f2b',
    'npx stateeval webhooks deliveries wh_mkf4j2q10a7c1f2b',
    'npx stateeval webhooks rotate wh_mkf4j2q10a7c1f2b --overlap 48',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--url <url>', 'create, update: URL that receives the events')
      .option('--events <types>', 'create, update: types of events, separated by commas (default: all)')
      .option('--description <text>', 'create, update: its purpose')
      .option('--overlap <hours>', 'rotate: hours for which the old secret also signs (default: 24)'),
  run: async ({ options, args: [action = 'list', id, delivery], terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      if (action === 'list') await list(terminal)
      else if (action === 'create') {
        const created = await connectEvaluation().createWebhook({ body: buildWebhookSettings(options) })
        terminal.result(created, () => [created.secret, '', `${created.id} is active. ${kept}`].join('\n'))
      } else {
        const run = actions[action]
        if (!run)
          throw new Failure(`Unknown action ${action}. Use list, create, ${Object.keys(actions).join(', ')}.`)
        if (id === undefined)
          throw new Failure('Which webhook? Name its id; npx stateeval webhooks lists them.')
        await run(id, options, terminal, delivery)
      }
      return 0
    }),
})
