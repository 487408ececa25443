/** A collector for tests: receives and stores spans, log records and metrics by OTLP over HTTP, as JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Attribute {
  key: string
  value: {
    stringValue?: string
    intValue?: number | string
    doubleValue?: number
    arrayValue?: { values: { stringValue?: string }[] }
  }
}
export interface CollectedSpan {
  /** Who sent it: `service.name` of the resource. */
  service: string
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status?: { code?: number; message?: string }
}
interface CollectedLog {
  service: string
  eventName?: string
  traceId?: string
  spanId?: string
  attributes: Attribute[]
}
interface CollectedPoint {
  service: string
  name: string
  unit?: string
  attributes: Attribute[]
  asDouble?: number
  asInt?: number | string
  count?: number | string
  sum?: number
  bucketCounts?: (number | string)[]
  explicitBounds?: number[]
}
interface Resource {
  attributes: Attribute[]
}
type Unnamed<T> = Omit<T, 'service' | 'name' | 'unit'>
interface Points {
  dataPoints: Unnamed<CollectedPoint>[]
}
interface LogExport {
  resourceLogs: { resource: Resource; scopeLogs: { logRecords: Omit<CollectedLog, 'service'>[] }[] }[]
}
interface MetricExport {
  resourceMetrics: {
    resource: Resource
    scopeMetrics: {
      metrics: { name: string; unit?: string; sum?: Points; gauge?: Points; histogram?: Points }[]
    }[]
  }[]
}
interface Export {
  resourceSpans: {
    resource: Resource
    scopeSpans: { spans: Omit<CollectedSpan, 'service'>[] }[]
  }[]
}
export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  spans: CollectedSpan[]
  logs: CollectedLog[]
  /** Data points, in the order in which they came. */
  points: CollectedPoint[]
  /** It answers 400 and keeps nothing while `refuses` is set. */
  state: { refuses: boolean }
  close(): Promise<void>
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const logs: CollectedLog[] = []
  const points: CollectedPoint[] = []
  const state = { refuses: false }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      if (!state.refuses)
        if (request.url === '/v1/traces') spans.push(...spansIn(body as Export))
        else if (request.url === '/v1/logs') logs.push(...logsIn(body as LogExport))
        else if (request.url === '/v1/metrics') points.push(...pointsIn(body as MetricExport))
      response.writeHead(state.refuses ? 400 : 200).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    spans,
    logs,
    points,
    state,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const serviceOf = ({ attributes }: Resource) =>
  attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''

const spansIn = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service: serviceOf(resource) }))),
  )

const logsIn = ({ resourceLogs }: LogExport): CollectedLog[] =>
  resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map((record) => ({ ...record, service: serviceOf(resource) })),
    ),
  )

const pointsIn = ({ resourceMetrics }: MetricExport): CollectedPoint[] =>
  resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ name, unit, sum, gauge, histogram }) =>
        (sum ?? gauge ?? histogram)!.dataPoints.map((point) => ({
          ...point,
          name,
          ...(unit !== undefined && { unit }),
          service: serviceOf(resource),
        })),
      ),
    ),
  )
