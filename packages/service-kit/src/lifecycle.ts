/** The lifecycle of a service: settings → start → wait for a signal → stop. */
import { flushCompileCache } from 'node:module'
import { type HttpOperations, questions, buildRollCall, type ServiceName } from '@stateeval/contracts'
import type { FastifyInstance } from 'fastify'
import { getCurrentProject, runInProject, requireProject } from './access/index.ts'
import type { BaseConfig } from './config.ts'
import { observeCertificates } from './certificates.ts'
import { buildApp } from './http/app.ts'
import type { AnyHandlers } from './http/handler.ts'
import { InFlight } from './http/in-flight.ts'
import type { AnyJob } from './job.ts'
import { createLog, type ServiceLog } from './log.ts'
import { openPlatform, type ServicePlatform } from './platform.ts'
import { readReplicaState } from './replica-state.ts'
import { expireIdempotencyKeys, openPendingCleanup } from './removal.ts'
import { type SecretMask, createMask } from './secrets.ts'
import { createServerChecks } from './server-checks.ts'
import { observeServers } from './server-metrics.ts'
import { type ProcessEnvironment, type ServiceSettings, SettingsError } from './settings.ts'
import { startSweep } from './sweep.ts'
import { waitAtMost, pauseUnlessAborted } from './time.ts'
import { startWorker } from './worker.ts'

/** Handlers by name of the question; they may return a promise of the answer. */
interface QuestionAnswers<Context> {
  worlds?(this: void, context: Context): unknown
  providers?(this: void, context: Context): unknown
}

/** Everything that distinguishes one service from the others. */
export interface ServiceDefinition<Config extends BaseConfig = BaseConfig, Context extends object = object> {
  name: ServiceName
  description: string
  settings: ServiceSettings
  readConfig(env: ProcessEnvironment): Config
  /** The record that handlers and jobs may use. */
  buildContext(platform: ServicePlatform, config: Config): Context | Promise<Context>
  operations: HttpOperations
  handlers: AnyHandlers<Context>
  /** The address of what is made of bodies before handlers get them: a BodyModule. */
  bodies: URL
  /** Jobs that the service takes from the queue. */
  jobs?(config: Config): readonly AnyJob<Context>[]
  /** Answers to other services’ questions. */
  answers?(config: Config): QuestionAnswers<Context>
  /** Asks again for what the stored state of the current project shows missing. */
  sweep?(context: Context, signal: AbortSignal): Promise<void>
  /**
   * Removes what has ended before that time, of the current project; gives how much that was. Asked every
   * hour where the project keeps things for a number of days.
   */
  expire?(context: Context, before: Date, signal: AbortSignal): Promise<number>
  /** The same as sweep for what belongs to no project; before the projects. */
  sweepInstallation?(this: void, context: Context, signal: AbortSignal): Promise<void>
  /** Routes outside the contract, such as a dashboard's files; `/` is among them. */
  extend?(this: void, app: FastifyInstance, context: Context): void | Promise<void>
  /** Closes what buildContext opened. */
  close?(context: Context): Promise<void>
}
/** Checks that a service's parts fit together, and erases their types. */
export const defineService = <Config extends BaseConfig, Context extends object>(
  service: ServiceDefinition<Config, Context>,
): ServiceDefinition => service

interface StartOptions<Context> {
  env: ProcessEnvironment
  log?: ServiceLog
  /** Parts of the context that tests replace. */
  overrides?: Partial<Context>
  sweepEveryMs?: number
  ackWaitMs?: number
}
export interface RunningService<Context = object> {
  url: string
  app: FastifyInstance
  /** The servers and tools that the framework opened. */
  platform: ServicePlatform
  context: Context
  /**
   * Says that it is not ready, stops taking work, finishes what is in flight or hands it back, and closes
   * everything.
   */
  stop(graceMs?: number): Promise<void>
}

/** Starts a service. Unavailable servers make it not ready, but never prevent its start. */
export async function startService<Config extends BaseConfig, Context extends object>(
  service: ServiceDefinition<Config, Context>,
  options: StartOptions<Context>,
): Promise<RunningService<Context>> {
  const config = service.readConfig(options.env)
  const mask = createMask(service.settings, options.env)
  const log = options.log ?? createLog(service.name, { level: config.log.level, mask })
  const platform = await openPlatform(service.name, config, log)
  const builtContext = await service.buildContext(platform, config)
  // Into the very record: parts that look at it must see the stand-ins of a test, too.
  const context: Context = Object.assign(builtContext, options.overrides)
  const stopping = new AbortController()
  const inFlight = new InFlight()
  const jobs = service.jobs?.(config) ?? []
  const takes = jobs.map((job) => job.takes)
  const servers = createServerChecks(platform, takes)
  const app = await buildApp({
    ...service,
    platform,
    context,
    config,
    log,
    authenticate: (request) => platform.access.authenticate(request),
    stopping: stopping.signal,
    inFlight,
    servers,
  })
  await app.listen({ host: config.http.host, port: config.http.port })
  observeServers(platform, service.name, jobs, servers)
  observeCertificates(platform.metrics.registry, config)
  const { worlds, providers } = service.answers?.(config) ?? {}
  if (worlds) platform.bus.answer(questions.worlds, () => worlds(context))
  if (providers) platform.bus.answer(questions.providers, () => providers(context))
  const about = { startedAt: platform.now(), holds: config.worker.concurrency }
  platform.bus.answerEach(buildRollCall(service.name), () => readReplicaState(platform, takes, about))
  const workers = jobs.map((job) =>
    startWorker(job, context, platform, {
      concurrency: config.worker.concurrency,
      ...(options.ackWaitMs && { ackWaitMs: options.ackWaitMs }),
    }),
  )
  const sweeping =
    service.sweep &&
    startSweep((signal) => sweepProjects(service, { platform, context }, signal), {
      log,
      ...(options.sweepEveryMs && { everyMs: options.sweepEveryMs }),
    })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.http.port
  const url = `${config.http.tls ? 'https' : 'http'}://${config.http.host === '0.0.0.0' ? '127.0.0.1' : config.http.host}:${port}`
  log.info({ url }, 'listening')

  const stop = async (graceMs = config.worker.graceMs) => {
    // Not ready first, at work still: whoever is sent here meanwhile is served.
    stopping.abort()
    await pauseUnlessAborted(config.worker.drainMs)
    await Promise.all([
      sweeping?.stop(graceMs),
      ...workers.map((worker) => worker.stop(graceMs)),
      // Closing cuts what is not answered.
      waitAtMost(graceMs, inFlight.over()),
    ])
    await app.close()
    await platform.audit.close()
    await service.close?.(context)
    await platform.quota.close()
    await platform.tracer.close()
    await platform.telemetry.close()
    await platform.bus.close()
    await platform.mongo.close()
    await platform.parsing.close()
    platform.metrics.registry.clear()
  }
  let stopResult: Promise<void> | undefined
  return { url, app, platform, context, stop: (graceMs) => (stopResult ??= stop(graceMs)) }
}

/** One project after the other, also where the sweep of one fails. */
async function sweepProjects<Config extends BaseConfig, Context extends object>(
  {
    sweep,
    sweepInstallation,
    expire,
  }: Pick<ServiceDefinition<Config, Context>, 'sweep' | 'sweepInstallation' | 'expire'>,
  { platform, context }: Pick<RunningService<Context>, 'platform' | 'context'>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = []
  await sweepInstallation?.(context, signal).catch((error: unknown) => failures.push(error))
  for (const project of await platform.access.projects.all()) {
    if (signal.aborted) return
    // Nobody has to work on the rest of a project that is being deleted.
    if (!(await platform.access.projects.isOpen(project))) continue
    await runInProject(project, async () => {
      await sweep?.(context, signal)
      if (expire && isDue(platform, project)) await expireNow({ expire }, { platform, context }, signal)
    }).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

const expireEveryMs = 3_600_000
/** When each project's turn comes again, by process. */
const nextExpiry = new WeakMap<object, Map<string, number>>()
function isDue(platform: object, project: string): boolean {
  const next = nextExpiry.get(platform) ?? new Map<string, number>()
  nextExpiry.set(platform, next)
  const at = performance.now()
  if (at < (next.get(project) ?? 0)) return false
  next.set(project, at + expireEveryMs)
  return true
}

/** Removes expired data of the current project; does nothing if it keeps everything. */
export async function expireNow<Context extends object>(
  { expire }: { expire?: (context: Context, before: Date, signal: AbortSignal) => Promise<number> },
  { platform, context }: Pick<RunningService<Context>, 'platform' | 'context'>,
  signal: AbortSignal,
  at = platform.now(),
): Promise<void> {
  const { days = null } = await platform.quota.rules.retention(getCurrentProject())
  if (days === null) return
  const before = new Date(at.getTime() - days * 86_400_000)
  const removed = (await expire?.(context, before, signal)) ?? 0
  await expireIdempotencyKeys(platform.mongo, before)
  if (removed === 0) return
  platform.log.info({ removed, before }, 'expired data was removed')
  await openPendingCleanup(platform.mongo, platform.now).collectAt(platform.now())
}

/**
 * The whole of a service's main.ts. Resolves after a clean stop; a second signal ends the process
 * immediately.
 */
export async function runService(
  service: ServiceDefinition,
  env: ProcessEnvironment = process.env,
): Promise<void> {
  requireProject()
  const runningService = await startOrComplain(
    service.name,
    () => startService(service, { env }),
    createMask(service.settings, env),
  )
  const { log } = runningService.platform
  // A line of the log, which shows no secret; Node's own words show all members of an error.
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the service stops after an unexpected error')
    process.exit(1)
  })
  // Writes the compile cache, if NODE_COMPILE_CACHE names one, so that a service that is killed later still
  // leaves its compiled code to the next start.
  flushCompileCache()
  await new Promise<void>((resolve) => {
    const on = (signal: string) => {
      log.info({ signal }, 'stopping')
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(130))
      resolve()
    }
    process.once('SIGTERM', on)
    process.once('SIGINT', on)
  })
  await runningService.stop()
  log.info('stopped')
  // Libraries may leave timers behind; everything of ours is closed.
  process.exit(0)
}

/**
 * Returns what was started. If the settings or the port are faulty, the process prints a remedy and exits
 * with 2. `mask` removes secrets from the message.
 */
export async function startOrComplain<T>(
  name: string,
  start: () => Promise<T>,
  mask: SecretMask = (text) => text,
): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (error instanceof SettingsError) return exitWithComplaint(name, mask(error.message))
    // Callers that start services read the code, too: `stateeval up` then takes another port.
    if ((error as { code?: unknown }).code === 'EADDRINUSE')
      return exitWithComplaint(
        name,
        'the port is taken (EADDRINUSE): set PORT to another one, or to 0 for any free port',
      )
    // Node would print the error with all of its members, such as the address that could not be read.
    process.stderr.write(`${name}: ${mask((error instanceof Error && error.stack) || String(error))}\n`)
    process.exit(1)
  }
}

/** Resolves when the process is asked to end. */
export const waitForSignal = () =>
  new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve())
  })

function exitWithComplaint(name: string, message: string): never {
  process.stderr.write(`${name}: ${message}\n`)
  process.exit(2)
}
