/** The whole suite in one process, on free ports and real servers. */
import { type ServiceName, serviceNames } from '@stateeval/contracts'
import {
  createLog,
  type ProcessEnvironment,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '@stateeval/service-kit'
import { namespace } from './namespace.ts'
import { type Servers, startServers } from './servers.ts'

/**
 * Every service; a new one is a line here. Loaded when they are started, so that a test of one needs no
 * other.
 */
const services: Partial<Record<ServiceName, () => Promise<ServiceDefinition>>> = {
  'trace-generation': async () => (await import('@stateeval/service-trace-generation')).traceGeneration,
  translation: async () => (await import('@stateeval/service-translation')).translation,
  execution: async () => (await import('@stateeval/service-execution')).execution,
  scoring: async () => (await import('@stateeval/service-scoring')).scoring,
  evaluation: async () => (await import('@stateeval/service-evaluation')).evaluation,
}

export interface Suite {
  servers: Servers
  env: ProcessEnvironment
  /** By name; `url` says where it listens. */
  services: Record<string, RunningService>
  /** Where each service is, as the client wants it. */
  urls: Record<string, string>
  stop(): Promise<void>
}
export interface SuiteOptions {
  /** Default: all there are. */
  only?: readonly ServiceName[]
  env?: ProcessEnvironment
  servers?: Servers
  /** Default: silent. */
  logLevel?: string
}

export async function startSuite({
  only = serviceNames,
  env = {},
  servers,
  logLevel = 'silent',
}: SuiteOptions = {}): Promise<Suite> {
  const usedServers = servers ?? (await startServers())
  const full: ProcessEnvironment = {
    ...usedServers.env,
    STATEEVAL_NAMESPACE: namespace(),
    HOST: '127.0.0.1',
    PORT: '0',
    STATEEVAL_GRACE_SECONDS: '5',
    // All services of a test share one process, on a machine that runs other tests: none is too busy by
    // itself.
    STATEEVAL_MAX_LAG_MS: '0',
    // Scripted endpoints are on this machine.
    STATEEVAL_MODEL_NETWORKS: 'loopback',
    LOG_LEVEL: logLevel,
    ...env,
  }
  const runningServices: Record<string, RunningService> = {}
  const stop = async () => {
    await Promise.all(Object.values(runningServices).map((service) => service.stop()))
    if (!servers) await usedServers.stop()
  }
  try {
    for (const name of only) {
      const load = services[name]
      if (!load) continue
      runningServices[name] = await startService(await load(), {
        env: full,
        log: createLog(name, { level: full['LOG_LEVEL'] ?? logLevel }),
        // Oftener costs every test some percent, and only tests of sweeps wait for them.
        sweepEveryMs: 3000,
      })
    }
  } catch (error) {
    // Whoever asked for the suite has nothing to stop: what was started would keep the process for ever.
    await stop()
    throw error
  }
  return {
    servers: usedServers,
    env: full,
    services: runningServices,
    urls: Object.fromEntries(Object.entries(runningServices).map(([name, { url }]) => [name, url])),
    stop,
  }
}

/** The descriptions of all services, without starting them. */
export const describeServices = async (): Promise<ServiceDefinition[]> =>
  Promise.all(Object.values(services).map((load) => load()))
