/**
 * OpenTelemetry's SDK, which sends spans, log events and metrics to a collector: OTLP over HTTP, as JSON.
 * It is loaded only if a collector is set.
 */
import { type Histogram, ROOT_CONTEXT, SeverityNumber, trace } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Registry } from 'prom-client'
import { getErrorText } from '../errors.ts'
import { type ServiceLog, removeCredentials } from '../log.ts'
import { genAiBuckets, genAiMetrics, schemaUrl, selectSendable } from './gen-ai.ts'
import { createPrometheusProducer } from './prometheus.ts'
import type { TelemetryExport } from './telemetry.ts'
import { getCurrentSpan } from './tracer.ts'

interface CollectorOptions {
  /** The collector’s address; spans go to `/v1/traces` there, and so on. */
  endpoint: string
  service: string
  log: ServiceLog
  /** How long spans and events may wait for others, in milliseconds. */
  everyMs?: number
}
interface TelemetryOptions extends CollectorOptions {
  /** The metrics of /metrics. */
  registry: Registry
  /** Between two reports of all metrics, in milliseconds. */
  metricsEveryMs: number
  signals: { logs: boolean; metrics: boolean }
  /** True if telemetry includes names of projects. */
  names: boolean
}

const exportMs = 5000
const buildCollectorAddress = (endpoint: string, signal: string) =>
  `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/${signal}`

/** `OTEL_RESOURCE_ATTRIBUTES` says more about the deployment. */
const createResource = (service: string): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service }))
    .merge(detectResources({ detectors: [envDetector] }))

/** If the collector is unavailable, only spans that do not fit into the queue are lost. */
export function openCollector({ endpoint, service, log, everyMs = 2000 }: CollectorOptions): TracerProvider {
  const url = buildCollectorAddress(endpoint, 'traces')
  const exporter = createReportingExporter(
    new OTLPTraceExporter({ url, timeoutMillis: exportMs }),
    'spans',
    url,
    log,
  )
  return new TracerProvider({
    resource: createResource(service),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: everyMs,
        exportTimeoutMillis: 2 * exportMs,
        maxQueueSize: 4096,
        maxExportBatchSize: 512,
      }),
    ],
  })
}

/** Log events and metrics, for the same collector. */
export function openTelemetry(options: TelemetryOptions): TelemetryExport {
  const { endpoint, service, log, everyMs = 2000, registry, metricsEveryMs, signals, names } = options
  const resource = createResource(service)
  const urls = {
    logs: buildCollectorAddress(endpoint, 'logs'),
    metrics: buildCollectorAddress(endpoint, 'metrics'),
  }
  const logs =
    signals.logs &&
    new LoggerProvider({
      resource,
      processors: [
        new BatchLogRecordProcessor({
          exporter: createReportingExporter(
            new OTLPLogExporter({ url: urls.logs, timeoutMillis: exportMs }),
            'events',
            urls.logs,
            log,
          ),
          scheduledDelayMillis: everyMs,
          exportTimeoutMillis: 2 * exportMs,
          maxQueueSize: 4096,
          maxExportBatchSize: 512,
        }),
      ],
    })
  const metrics =
    signals.metrics &&
    new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: createReportingExporter(
            new OTLPMetricExporter({ url: urls.metrics, timeoutMillis: exportMs }),
            'metrics',
            urls.metrics,
            log,
          ),
          exportIntervalMillis: metricsEveryMs,
          exportTimeoutMillis: Math.min(metricsEveryMs, 2 * exportMs),
          metricProducers: [createPrometheusProducer(registry)],
        }),
      ],
    })
  const logger = logs && logs.getLogger('stateeval', undefined, { schemaUrl })
  const meter = metrics && metrics.getMeter('stateeval', undefined, { schemaUrl })
  const histograms = new Map<string, Histogram>()
  if (meter)
    for (const [name, unit] of [
      [genAiMetrics.duration, 's'],
      [genAiMetrics.tokens, '{token}'],
    ] as const)
      histograms.set(
        name,
        meter.createHistogram(name, {
          unit,
          advice: { explicitBucketBoundaries: [...genAiBuckets[name]] },
        }),
      )
  return {
    event(eventName, attributes) {
      const span = getCurrentSpan()
      if (logger)
        logger.emit({
          eventName,
          severityNumber: SeverityNumber.INFO,
          attributes: selectSendable(attributes, names),
          context: span ? trace.setSpanContext(ROOT_CONTEXT, span.context) : ROOT_CONTEXT,
        })
    },
    measure: (name, value, attributes) =>
      histograms.get(name)?.record(value, selectSendable(attributes, names)),
    async close() {
      await Promise.allSettled([logs && logs.shutdown(), metrics && metrics.shutdown()])
    },
  }
}

interface BatchExporter<Batch> {
  export(batch: Batch, done: (result: { code: number; error?: Error }) => void): void
}

/** Logs that something is lost once, and once that it arrives again. */
function createReportingExporter<Batch, E extends BatchExporter<Batch>>(
  exporter: E & BatchExporter<Batch>,
  what: string,
  url: string,
  log: ServiceLog,
): E {
  const address = removeCredentials(url)
  let lostBatches = 0
  const send = exporter.export.bind(exporter)
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.error) {
        const reason = getErrorText(result.error)
        if (lostBatches === 0)
          log.warn({ url: address, reason }, `${what} are lost, because the collector did not accept them`)
        lostBatches++
      } else if (lostBatches > 0) {
        log.warn({ lost: lostBatches }, `${what} reach the collector again`)
        lostBatches = 0
      }
      done(result)
    })
  return exporter
}
