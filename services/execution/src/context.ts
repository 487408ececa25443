/** The dependencies of handlers and jobs, built in one place; tests override some of them. */
import { makeBenchmarkWorlds } from '@stateeval/benchmarks/backends'
import { type executionOperations, maxObservationBytes, ProblemError } from '@stateeval/contracts'
import { createNoWorld, createSandbox, type LocalSandbox, type SandboxWorld } from '@stateeval/sandbox'
import { makeWorlds } from '@stateeval/scenarios/backends'
import {
  ByteBudget,
  createArtifactCache,
  type OperationHandler,
  type ServicePlatform,
  type ArtifactCache,
} from '@stateeval/service-kit'
import type { ExecutionConfig } from './config.ts'
import { countCpuTime } from './cpu-time.ts'
import { createLevelMetrics, createSandboxMetrics, withWarnings, createWorldMetrics } from './metrics.ts'
import { type QueueLimit, createQueueLimit } from './queue-limit.ts'
import { ToolSessions } from './sessions/sessions.ts'
import { openSessionStore } from './sessions/store.ts'
import { createModelWorlds } from './model-worlds.ts'
import { openStore, type ExecutionStore } from './store.ts'
import { createUnusableTensor } from './tensors.ts'

export interface ExecutionContext extends Pick<
  ServicePlatform,
  'artifacts' | 'bus' | 'log' | 'mongo' | 'newId' | 'now' | 'outcomes' | 'quota' | 'send'
> {
  config: ExecutionConfig
  sandbox: LocalSandbox
  worlds: readonly SandboxWorld[]
  /** A world by id, also that of a stored model; a problem that names the field where there is none. */
  world: (id: string, field: string) => Promise<SandboxWorld>
  store: ExecutionStore
  /** How many executions of a project may be open. */
  queueLimit: QueueLimit
  sessions: ToolSessions
  /** Artifacts that inputs name: the samples of a case name the same. */
  artifactCache: ArtifactCache
  /** Memory for observations that are being read for callers, all of them together. */
  reading: ByteBudget
}

/** Rejects if no jail is available: a service that cannot isolate code does not start. */
export async function buildContext(
  platform: ServicePlatform,
  config: ExecutionConfig,
): Promise<ExecutionContext> {
  const sandbox = await createSandbox({
    ...config.sandbox,
    telemetry: withWarnings(countCpuTime(createSandboxMetrics(platform.metrics)), platform.log),
  })
  createLevelMetrics(platform.metrics, sandbox.level)
  if (sandbox.level === 'unsafe-process')
    platform.log.warn('candidate code runs WITHOUT a jail: STATEEVAL_SANDBOX=unsafe-process')
  if (sandbox.lacksWarm !== undefined)
    platform.log.warn({ reason: sandbox.lacksWarm }, 'each program gets a separate jail, which is slower')
  for (const { path, source, problem } of sandbox.interpreters)
    if (problem !== undefined)
      platform.log[source === 'STATEEVAL_PYTHON' ? 'warn' : 'info'](
        { path, source, reason: problem },
        'this python3 cannot run programs',
      )
  const worlds = [...makeWorlds(config.worlds), ...makeBenchmarkWorlds(config.worlds), createNoWorld()]
  createWorldMetrics(platform.metrics, worlds)
  const findModelWorld = createModelWorlds(platform.artifacts)
  const world = async (id: string, field: string) => {
    const match = worlds.find((one) => one.id === id) ?? (await findModelWorld(id))
    if (match) return match
    throw new ProblemError(
      'unprocessable',
      `there is no world ${id}; available: ${worlds.map((one) => one.id).join(', ')}`,
      field,
    )
  }
  const store = openStore(platform.mongo)
  const artifactCache = createArtifactCache(platform.artifacts, {
    missing: (hash) => createUnusableTensor(`the artifact ${hash} is missing`),
  })
  return {
    ...platform,
    config,
    sandbox,
    worlds,
    world,
    sessions: new ToolSessions({
      ...platform,
      ...config.sessions,
      world,
      artifactCache,
      store: openSessionStore(platform.mongo, platform.artifacts),
      runtime: sandbox.fingerprint,
    }),
    store,
    queueLimit: createQueueLimit({ ...platform, store, random: Math.random }),
    reading: new ByteBudget(2 * maxObservationBytes),
    artifactCache,
  }
}

export async function closeContext({ sandbox, sessions, worlds }: ExecutionContext): Promise<void> {
  await Promise.all([sandbox.close(), sessions.stop()])
  await Promise.all(worlds.map((world) => world.close()))
}

/** The handler of an operation of this service. */
export type ExecutionRoute<Id extends keyof typeof executionOperations> = OperationHandler<
  (typeof executionOperations)[Id],
  ExecutionContext
>
