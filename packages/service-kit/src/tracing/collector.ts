/**
 * OpenTelemetry's SDK, which sends spans to a collector: OTLP over HTTP, as JSON. Loaded only where a
 * collector is set.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { messageOf } from '../errors.ts'
import { type Log, withoutCredentials } from '../log.ts'

interface CollectorOptions {
  /** The collector’s address; spans go to `/v1/traces` there. */
  endpoint: string
  service: string
  log: Log
  /** How long spans may wait for others, in milliseconds. */
  everyMs?: number
}

const exportMs = 5000

/** A collector that is away costs the spans that don’t fit into the queue, and nothing else. */
export function collector({ endpoint, service, log, everyMs = 2000 }: CollectorOptions): TracerProvider {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`
  const otlp = new OTLPTraceExporter({ url, timeoutMillis: exportMs })
  const exporter = toldOnce(otlp, withoutCredentials(url), log)
  return new TracerProvider({
    // `OTEL_RESOURCE_ATTRIBUTES` says more about the deployment.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
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

/** Logs that spans are lost once, and once that they arrive again. */
function toldOnce(exporter: SpanExporter, url: string, log: Log): SpanExporter {
  let lostSpans = 0
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) {
          const reason = messageOf(result.error)
          if (lostSpans === 0) log.warn({ url, reason }, 'spans are lost: the collector did not take them')
          lostSpans += spans.length
        } else if (lostSpans > 0) {
          log.warn({ lost: lostSpans }, 'spans reach the collector again')
          lostSpans = 0
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
