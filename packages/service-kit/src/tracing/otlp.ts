/** Sends spans to a collector: OTLP over HTTP, as JSON (https://opentelemetry.io/docs/specs/otlp). */
import { messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Attributes, EndedSpan, SpanKind, SpanSink } from './tracer.ts'

interface OtlpOptions {
  /** The collector’s address; spans go to `/v1/traces` there. */
  endpoint: string
  service: string
  log: Log
  /** How long spans may wait for others, in milliseconds. */
  everyMs?: number
}

const most = { waiting: 4096, together: 512 }
const answerMs = 5000
const kinds: Record<SpanKind, number> = { internal: 1, server: 2, consumer: 5 }

/** A collector that is away costs the spans that don’t fit in what is kept for it, and nothing else. */
export function otlpSink({ endpoint, service, log, everyMs = 2000 }: OtlpOptions): SpanSink {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`
  let waiting: EndedSpan[] = []
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  async function post(spans: readonly EndedSpan[]) {
    try {
      const body = JSON.stringify(document(service, spans))
      const headers = { 'content-type': 'application/json' }
      const { ok, status } = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(answerMs),
      })
      if (!ok) throw new Error(`the answer was ${status}`)
      if (lost > 0) log.warn({ lost }, 'spans reach the collector again')
      lost = 0
    } catch (error) {
      if (lost === 0)
        log.warn({ url, reason: messageOf(error) }, 'spans are lost: the collector did not take them')
      lost += spans.length
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    sending = sending.then(async () => {
      while (waiting.length > 0) await post(waiting.splice(0, most.together))
    })
    return sending
  }
  return {
    take(span) {
      if (waiting.length >= most.waiting) return void lost++
      waiting.push(span)
      if (waiting.length === most.together) void flush()
      else timer ??= setTimeout(() => void flush(), everyMs).unref()
    },
    async close() {
      await flush()
      waiting = []
    },
  }
}

const document = (service: string, spans: readonly EndedSpan[]) => ({
  resourceSpans: [
    {
      resource: { attributes: pairs({ 'service.name': service }) },
      scopeSpans: [{ scope: { name: 'stateeval' }, spans: spans.map(written) }],
    },
  ],
})

const nanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`
const written = ({ context, parentId, name, kind, startMs, endMs, attributes, error }: EndedSpan) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name,
  kind: kinds[kind],
  startTimeUnixNano: nanoseconds(startMs),
  endTimeUnixNano: nanoseconds(endMs),
  attributes: pairs(attributes),
  status: error === undefined ? {} : { code: 2, message: error },
})
const pairs = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }))
