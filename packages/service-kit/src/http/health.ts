/**
 * /health/live: the process answers. /health/ready: its servers answer, too, and store what it writes.
 * /metrics: Prometheus text.
 */
import type { FastifyInstance } from 'fastify'
import { getErrorText } from '../errors.ts'
import { removeCredentials } from '../log.ts'
import type { ServicePlatform } from '../platform.ts'

/** @param checks by name; each rejects with the reason why the service is not ready */
export function addHealth(
  app: FastifyInstance,
  platform: Pick<ServicePlatform, 'metrics'>,
  checks: Readonly<Record<string, () => Promise<void>>>,
): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) =>
          [
            name,
            await check().then(
              () => 'ok',
              (error: unknown) => removeCredentials(getErrorText(error)),
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
