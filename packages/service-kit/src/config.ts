/** The settings and the config that every service has. A service adds its own and spreads these. */
import { pipeline, type ServiceName } from '@stateeval/contracts'
import { type AccessConfig, readAccessConfig, accessSettings } from './access/settings.ts'
import { type NatsConfig, readNatsConfig } from './bus/credentials.ts'
import { parseProxies } from './http/proxies.ts'
import { type LimitDefaults, limitDefaults, limitSettings } from './limits/index.ts'
import { defineSettings, SettingsError, type SettingValues } from './settings.ts'

const exporterSetting = { type: 'string', default: 'otlp', choices: ['otlp', 'none'] } as const

export const baseSettings = defineSettings({
  HOST: { type: 'string', default: '127.0.0.1', doc: 'Address to listen on; 0.0.0.0 in containers' },
  PORT: {
    type: 'integer',
    optional: true,
    min: 0,
    max: 65_535,
    doc: 'Port to listen on; 0 selects a free one. Default: set by each service',
  },
  LOG_LEVEL: {
    type: 'string',
    default: 'info',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    doc: 'Minimum severity of log messages',
  },
  ...accessSettings,
  ...limitSettings,
  MONGODB_URI: {
    type: 'url',
    default: 'mongodb://127.0.0.1:27017',
    secret: true,
    doc: 'MongoDB for all documents',
  },
  NATS_URL: {
    type: 'url',
    default: 'nats://127.0.0.1:4222',
    secret: true,
    doc: 'NATS with JetStream: addresses separated by commas. The first may have a user and a password; tls:// uses TLS',
  },
  NATS_USER: {
    type: 'string',
    optional: true,
    doc: 'NATS user. Default if a password is set: the service’s name, as in deploy/nats',
  },
  NATS_PASSWORD: { type: 'string', optional: true, secret: true, doc: 'Password of the NATS user' },
  NATS_CREDENTIALS_FILE: {
    type: 'string',
    optional: true,
    doc: 'File of a user’s JWT and seed (.creds), for a NATS with operators and accounts',
  },
  NATS_NKEY_FILE: { type: 'string', optional: true, doc: 'File of an NKey’s seed, for a NATS with NKeys' },
  NATS_CA_FILE: {
    type: 'string',
    optional: true,
    doc: 'Certificates of the authorities that may sign NATS’s certificate; makes TLS required',
  },
  NATS_CERT_FILE: { type: 'string', optional: true, doc: 'Client certificate for NATS' },
  NATS_KEY_FILE: { type: 'string', optional: true, doc: 'Key of NATS_CERT_FILE' },
  STATEEVAL_TLS_CERT_FILE: {
    type: 'string',
    optional: true,
    doc: 'Certificate of this service for HTTPS. Default: HTTP',
  },
  STATEEVAL_TLS_KEY_FILE: { type: 'string', optional: true, doc: 'Key of STATEEVAL_TLS_CERT_FILE' },
  STATEEVAL_TLS_CLIENT_CA_FILE: {
    type: 'string',
    optional: true,
    doc: 'Certificates of the authorities that may sign callers’ certificates; /health and /metrics need none. Default: callers need no certificate',
  },
  STATEEVAL_TRUSTED_PROXIES: {
    type: 'list',
    default: [],
    doc: 'Addresses and networks (10.0.0.0/8) of proxies whose X-Forwarded-For names the caller in the audit log. Default: none',
  },
  STATEEVAL_NAMESPACE: {
    type: 'string',
    default: 'stateeval',
    pattern: /^[a-z0-9-]{1,40}$/,
    doc: 'Prefix of databases, streams and subjects: installations with different prefixes never interfere',
  },
  STATEEVAL_CONCURRENCY: {
    type: 'integer',
    optional: true,
    min: 1,
    max: 1024,
    doc: 'Maximum number of concurrent jobs of one kind in this process. Default: set by each kind of job',
  },
  STATEEVAL_GRACE_SECONDS: {
    type: 'integer',
    default: 20,
    min: 0,
    max: 3600,
    doc: 'How long a stopping service waits for work in flight before handing it back, in seconds',
  },
  STATEEVAL_DRAIN_SECONDS: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 600,
    doc: 'Seconds during which a stopping service reports not ready but still works, so that load balancers send requests elsewhere',
  },
  STATEEVAL_BODY_LIMIT_KIB: {
    type: 'integer',
    default: 1024,
    min: 1,
    max: 262_144,
    doc: 'Largest request body of operations without a limit, in KiB',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'url',
    optional: true,
    doc: 'URL of the collector for spans, log events and metrics (OTLP over HTTP), such as http://host:4318. Default: nothing is sent',
  },
  OTEL_TRACES_EXPORTER: { ...exporterSetting, doc: 'Whether to send spans: otlp or none' },
  OTEL_LOGS_EXPORTER: {
    ...exporterSetting,
    doc: 'Whether to send gen_ai.evaluation.result events: otlp or none',
  },
  OTEL_METRICS_EXPORTER: { ...exporterSetting, doc: 'Whether to send metrics: otlp or none' },
  OTEL_METRIC_EXPORT_INTERVAL: {
    type: 'integer',
    default: 60_000,
    min: 100,
    max: 86_400_000,
    doc: 'Interval between exports of metrics, in milliseconds',
  },
  STATEEVAL_TELEMETRY_NAMES: {
    type: 'boolean',
    default: false,
    doc: 'Whether spans, events and metrics name models with their hosts, tools, evaluations and cases of projects',
  },
  STATEEVAL_MAX_LAG_MS: {
    type: 'integer',
    default: 5000,
    min: 0,
    max: 600_000,
    doc: 'Event-loop delay above which requests get 503, in milliseconds; 0 disables this',
  },
})
type BaseValues = SettingValues<typeof baseSettings>

/** Names of files. */
export interface TlsConfig {
  readonly certFile: string
  readonly keyFile: string
  readonly clientCaFile?: string | undefined
}

export interface BaseConfig {
  readonly http: {
    readonly host: string
    readonly port: number
    readonly bodyLimit: number
    readonly maxLagMs: number
    readonly tls: TlsConfig | undefined
    readonly trustedProxies: readonly string[]
  }
  readonly access: AccessConfig
  /** Limits of projects that set none themselves. */
  readonly limits: LimitDefaults
  readonly log: { readonly level: string }
  readonly tracing: {
    readonly endpoint: string | undefined
    readonly signals: { readonly traces: boolean; readonly logs: boolean; readonly metrics: boolean }
    readonly metricsEveryMs: number
    /** True if telemetry includes names of projects. */
    readonly names: boolean
  }
  readonly mongo: { readonly uri: string }
  readonly nats: NatsConfig
  readonly namespace: string
  readonly worker: {
    readonly concurrency: number | undefined
    readonly drainMs: number
    readonly graceMs: number
  }
}

/** Flat typed values → the nested part of a config that the service framework reads. */
export const buildBaseConfig = (service: ServiceName, values: BaseValues): BaseConfig => ({
  http: {
    host: values.HOST,
    port: values.PORT ?? pipeline.find((step) => step.service === service)?.port ?? 0,
    bodyLimit: values.STATEEVAL_BODY_LIMIT_KIB * 1024,
    maxLagMs: values.STATEEVAL_MAX_LAG_MS,
    tls: readTlsConfig(values),
    trustedProxies: parseProxies(values.STATEEVAL_TRUSTED_PROXIES),
  },
  access: readAccessConfig(values.HOST, values),
  limits: limitDefaults(values),
  log: { level: values.LOG_LEVEL },
  tracing: {
    endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    signals: {
      traces: values.OTEL_TRACES_EXPORTER === 'otlp',
      logs: values.OTEL_LOGS_EXPORTER === 'otlp',
      metrics: values.OTEL_METRICS_EXPORTER === 'otlp',
    },
    metricsEveryMs: values.OTEL_METRIC_EXPORT_INTERVAL,
    names: values.STATEEVAL_TELEMETRY_NAMES,
  },
  mongo: { uri: values.MONGODB_URI },
  nats: readNatsConfig(values),
  namespace: values.STATEEVAL_NAMESPACE,
  worker: {
    concurrency: values.STATEEVAL_CONCURRENCY,
    drainMs: values.STATEEVAL_DRAIN_SECONDS * 1000,
    graceMs: values.STATEEVAL_GRACE_SECONDS * 1000,
  },
})

/** Throws a SettingsError where one file is named without the other. */
function readTlsConfig(values: BaseValues): TlsConfig | undefined {
  const { STATEEVAL_TLS_CERT_FILE: certFile, STATEEVAL_TLS_KEY_FILE: keyFile } = values
  const clientCaFile = values.STATEEVAL_TLS_CLIENT_CA_FILE
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile, clientCaFile }
  if (certFile === undefined && keyFile === undefined && clientCaFile === undefined) return undefined
  throw new SettingsError([
    'STATEEVAL_TLS_CERT_FILE and STATEEVAL_TLS_KEY_FILE belong together: set both, or unset both and STATEEVAL_TLS_CLIENT_CA_FILE',
  ])
}
