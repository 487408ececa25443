/**
 * Servers that stop answering without closing a connection, as on a machine that is suspended: services are
 * ready again afterwards, and evaluations that ran meanwhile end with the same bytes. Each server stops once
 * for a moment, and ten times for a minute with STATEEVAL_LONG=1.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type ServiceName, serviceNames } from '@stateeval/contracts'
import {
  isLong,
  namespace,
  type ServerKind,
  type ServerProcess,
  serverProcess,
  type ServiceProcess,
  startProcess,
  until,
} from '@stateeval/testkit'
import { failoverCaller } from './chaos/caller.ts'
import { importMutantBenchmark } from './chaos/mutant.ts'

const times = Number(process.env['STATEEVAL_STOPS'] ?? (isLong ? 10 : 1))
const stoppedMs = isLong ? 60_000 : 2000

let folder: string
const servers = {} as Record<ServerKind, ServerProcess>
const services = {} as Record<ServiceName, ServiceProcess>
const caller = failoverCaller(() => [services.evaluation.url])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-stopped-'))
  for (const kind of ['mongodb', 'nats'] as const) {
    const data = join(folder, kind)
    await mkdir(data)
    servers[kind] = await serverProcess(kind, { data })
    await servers[kind].start()
  }
  const env = {
    MONGODB_URI: `mongodb://127.0.0.1:${servers.mongodb.port}/?directConnection=true`,
    NATS_URL: `nats://127.0.0.1:${servers.nats.port}`,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_GRACE_SECONDS: '5',
    LOG_LEVEL: 'error',
  }
  await Promise.all(serviceNames.map(async (name) => void (services[name] = await startProcess(name, env))))
})
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.kill()))
  // A stopped process takes no other signal.
  await Promise.all(Object.values(servers).map((server) => server.end()))
  await rm(folder, { recursive: true, force: true })
})

const isReady = async ({ url }: ServiceProcess) =>
  (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => null))?.ok === true

test(`each server stops ${times} times for ${stoppedMs / 1000} s`, async () => {
  const { begin, waitForResult } = await importMutantBenchmark(caller)
  const expected = await waitForResult(await begin())
  for (let n = 0; n < times; n++)
    for (const server of Object.values(servers)) {
      const disturbed = await begin()
      server.signal('SIGSTOP')
      await sleep(stoppedMs)
      // It answers for itself, whatever its servers do.
      for (const { url } of Object.values(services))
        expect((await fetch(`${url}/health/live`)).status).toBe(200)
      server.signal('SIGCONT')
      await until(
        async () => {
          const ready = await Promise.all(Object.values(services).map(isReady))
          return ready.every(Boolean)
        },
        { withinMs: 180_000 },
      )
      expect([server.kind, n, await waitForResult(disturbed)]).toEqual([server.kind, n, expected])
      expect([server.kind, n, await waitForResult(await begin())]).toEqual([server.kind, n, expected])
    }
})
