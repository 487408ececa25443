/** The base of every service's context: the servers and tools that the framework opened. */
import { coordinator, type JobSubject, sha256 } from '@stateeval/contracts'
import { type AccessControl, openAccess } from './access/index.ts'
import { qualifyName } from './access/project.ts'
import { type ProjectArtifacts, openArtifacts } from './artifacts.ts'
import { type AuditLog, openAudit } from './audit.ts'
import { type MessageBus, openBus, type OutgoingJob } from './bus/index.ts'
import type { BaseConfig } from './config.ts'
import { openQuota, type ProjectQuota } from './limits/index.ts'
import type { ServiceLog } from './log.ts'
import { createMetrics, type ServiceMetrics } from './metrics.ts'
import { type MongoStore, openMongo } from './mongo.ts'
import { type JobOutcomes, openOutcomes } from './outcomes.ts'
import { drawRandomHex } from './random.ts'
import { createThreads, type ThreadPool } from './threads/index.ts'
import { noTelemetry, type TelemetryExport } from './tracing/telemetry.ts'
import { createTracer, type SpanTracer } from './tracing/tracer.ts'

export interface ServicePlatform {
  service: string
  log: ServiceLog
  mongo: MongoStore
  bus: MessageBus
  artifacts: ProjectArtifacts
  /** Long artifacts are parsed there. */
  parsing: ThreadPool
  outcomes: JobOutcomes
  metrics: ServiceMetrics
  /** Keys, projects, and who asks. */
  access: AccessControl
  /** Limits and usage of projects. */
  quota: ProjectQuota
  /** The log of who changed what. */
  audit: AuditLog
  tracer: SpanTracer
  /** Events and measurements for a collector. */
  telemetry: TelemetryExport
  now: () => Date
  /**
   * A new id that sorts by time: `<prefix>_<time><random>`. With a key, the same key gives the same id in a
   * project.
   */
  newId: (prefix: string, key?: string) => string
  /**
   * Queues a job; a value that is larger than a message may be travels as an artifact. It may be written
   * already.
   */
  send: (
    subject: JobSubject,
    job: { id: string; value: unknown } & Pick<OutgoingJob, 'replyTo' | 'version'>,
  ) => Promise<void>
}

export async function openPlatform(
  service: string,
  config: BaseConfig,
  log: ServiceLog,
): Promise<ServicePlatform> {
  const mongo = openMongo({ uri: config.mongo.uri, namespace: config.namespace, service })
  const bus = openBus({
    nats: config.nats,
    namespace: config.namespace,
    name: service,
    log,
    hearsAnswers: service === coordinator,
  })
  const now = () => new Date()
  const parsing = createThreads(new URL('./threads/parse.ts', import.meta.url), { maxThreads: 1 })
  const artifacts = openArtifacts(mongo, { now, parsing })
  const metrics = createMetrics(service)
  const { tracer, telemetry } = await createObservers(service, config, log, metrics)
  const access = await openAccess(config.access, { mongo, log, now })
  const { limits: defaults } = config
  return {
    service,
    log,
    mongo,
    bus,
    artifacts,
    parsing,
    outcomes: openOutcomes(mongo, now),
    metrics,
    access,
    quota: openQuota({ mongo, projects: access.projects, metrics, service, defaults, now }),
    audit: openAudit(mongo, service, now, metrics),
    tracer,
    telemetry,
    now,
    newId: (prefix, key) =>
      `${prefix}_${key === undefined ? createFreshId(now()) : sha256(qualifyName(key)).slice(0, 19)}`,
    async send(subject, { id, value, ...envelope }) {
      await bus.publishJob(subject, {
        id,
        payload: await artifacts.pack(value),
        ...envelope,
      })
    },
  }
}

/** With a collector, OpenTelemetry's SDK sends to it what `OTEL_*_EXPORTER` leaves on. */
async function createObservers(
  service: string,
  { tracing: { endpoint, signals, metricsEveryMs, names } }: BaseConfig,
  log: ServiceLog,
  { registry }: ServiceMetrics,
): Promise<Pick<ServicePlatform, 'tracer' | 'telemetry'>> {
  if (endpoint === undefined) return { tracer: createTracer(), telemetry: noTelemetry }
  const { openCollector: collector, openTelemetry } = await import('./tracing/collector.ts')
  const options = { endpoint, service, log }
  return {
    tracer: createTracer(signals.traces ? collector(options) : undefined, { names }),
    telemetry: openTelemetry({ ...options, registry, metricsEveryMs, signals, names }),
  }
}

const createFreshId = (now: Date) => now.getTime().toString(36).padStart(9, '0') + drawRandomHex(5)
