/** /health/live: the process answers. /health/ready: its servers answer, too. /metrics: Prometheus text. */
import type { FastifyInstance } from 'fastify'
import { messageOf } from '../errors.ts'
import { withoutCredentials } from '../log.ts'
import type { Platform } from '../platform.ts'

type Check = () => Promise<void>

export function addHealth(
  app: FastifyInstance,
  platform: Platform,
  checks: Record<string, Check> = {},
): void {
  const all: Record<string, Check> = {
    mongodb: () => platform.mongo.ping(),
    nats: async () => {
      if (!platform.bus.connected) throw new Error('not connected')
    },
    ...checks,
  }
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(all).map(
        async ([name, check]) =>
          [
            name,
            await check().then(
              () => 'ok',
              (error: unknown) => withoutCredentials(messageOf(error)),
            ),
          ] as const,
      ),
    )
    const ready = results.every(([, result]) => result === 'ok')
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(platform.metrics.registry.contentType).send(await platform.metrics.registry.metrics()),
  )
}
