/**
 * Events and measurements for a collector, in addition to spans and /metrics. Without a collector they are
 * dropped.
 */
import type { Attributes } from '@opentelemetry/api'

export interface TelemetryExport {
  /** A log event, in the trace of the current span. */
  event(name: string, attributes: Attributes): void
  /** A measurement of one of `genAiMetrics`. */
  measure(name: string, value: number, attributes: Attributes): void
  /** Resolves when what is left is sent, or given up. */
  close(): Promise<void>
}

export const noTelemetry: TelemetryExport = {
  event: () => undefined,
  measure: () => undefined,
  close: async () => undefined,
}
