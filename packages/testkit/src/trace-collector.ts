/** A collector of spans for tests: takes OTLP over HTTP, as JSON, and keeps what it gets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number }
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
}
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: Omit<CollectedSpan, 'service'>[] }[]
  }[]
}
export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string
  spans: CollectedSpan[]
  /** It answers 400 and keeps nothing while `refuses` is set. */
  state: { refuses: boolean }
  close(): Promise<void>
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const state = { refuses: false }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (!state.refuses && request.url === '/v1/traces')
        spans.push(...spansIn(JSON.parse(Buffer.concat(chunks).toString()) as Export))
      response.writeHead(state.refuses ? 400 : 200).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    spans,
    state,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const spansIn = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })))
  })
