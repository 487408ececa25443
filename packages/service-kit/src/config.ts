/** The settings and the config that every service has. A service adds its own and spreads these. */
import { pipeline, type ServiceName } from '@stateeval/contracts'
import { type AccessConfig, accessConfig, accessSettings } from './access/settings.ts'
import { defineSettings, type Values } from './settings.ts'

export const baseSettings = defineSettings({
  HOST: { type: 'string', default: '127.0.0.1', doc: 'Address to listen on; 0.0.0.0 in containers' },
  PORT: {
    type: 'integer',
    optional: true,
    min: 0,
    max: 65_535,
    doc: 'Port to listen on; 0 takes a free one. Default: the service’s own',
  },
  LOG_LEVEL: {
    type: 'string',
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    doc: 'Least severity that is logged',
  },
  ...accessSettings,
  MONGODB_URI: {
    type: 'url',
    default: 'mongodb://127.0.0.1:27017',
    secret: true,
    doc: 'MongoDB that keeps the platform’s documents',
  },
  NATS_URL: {
    type: 'url',
    default: 'nats://127.0.0.1:4222',
    secret: true,
    doc: 'NATS with JetStream; several addresses separated by commas',
  },
  STATEEVAL_NAMESPACE: {
    type: 'string',
    default: 'stateeval',
    pattern: /^[a-z0-9-]{1,40}$/,
    doc: 'Prefix of databases, streams and subjects: installations with different ones never meet',
  },
  STATEEVAL_CONCURRENCY: {
    type: 'integer',
    optional: true,
    min: 1,
    max: 1024,
    doc: 'Jobs of one kind at a time in this process. Default: what each kind of job says',
  },
  STATEEVAL_GRACE_SECONDS: {
    type: 'integer',
    default: 20,
    min: 0,
    max: 3600,
    doc: 'How long a stopping service waits for work in flight before handing it back, in seconds',
  },
  STATEEVAL_BODY_LIMIT_KIB: {
    type: 'integer',
    default: 1024,
    min: 1,
    max: 262_144,
    doc: 'Largest request body where the operation names none, in KiB',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'url',
    optional: true,
    doc: 'Collector that gets spans of requests and jobs, as OTLP over HTTP: http://host:4318. Default: spans are not kept',
  },
  STATEEVAL_MAX_LAG_MS: {
    type: 'integer',
    default: 5000,
    min: 0,
    max: 600_000,
    doc: 'Event-loop delay from which on requests are answered 503, in milliseconds; 0 never',
  },
})
type BaseValues = Values<typeof baseSettings>

export interface BaseConfig {
  readonly http: {
    readonly host: string
    readonly port: number
    readonly bodyLimit: number
    readonly maxLagMs: number
  }
  readonly access: AccessConfig
  readonly log: { readonly level: string }
  readonly tracing: { readonly endpoint: string | undefined }
  readonly mongo: { readonly uri: string }
  readonly nats: { readonly url: string }
  readonly namespace: string
  readonly worker: { readonly concurrency: number | undefined; readonly graceMs: number }
}

/** Flat typed values → the nested part of a config that the chassis reads. */
export const baseConfig = (service: ServiceName, values: BaseValues): BaseConfig => ({
  http: {
    host: values.HOST,
    port: values.PORT ?? pipeline.find((step) => step.service === service)?.port ?? 0,
    bodyLimit: values.STATEEVAL_BODY_LIMIT_KIB * 1024,
    maxLagMs: values.STATEEVAL_MAX_LAG_MS,
  },
  access: accessConfig(values.HOST, values),
  log: { level: values.LOG_LEVEL },
  tracing: { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT },
  mongo: { uri: values.MONGODB_URI },
  nats: { url: values.NATS_URL },
  namespace: values.STATEEVAL_NAMESPACE,
  worker: { concurrency: values.STATEEVAL_CONCURRENCY, graceMs: values.STATEEVAL_GRACE_SECONDS * 1000 },
})
