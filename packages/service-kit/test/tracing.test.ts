/** A trace goes on through HTTP, the queue and the logs, and its spans reach a collector. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  namespace,
  type Servers,
  startServers,
  startTraceCollector,
  type TraceCollector,
  until,
} from '@stateeval/testkit'
import { Gauge, Registry } from 'prom-client'
import { createLog, getCurrentSpan, type RunningService, startService } from '../src/index.ts'
import { openCollector as collectorAt } from '../src/tracing/collector.ts'
import { createPrometheusProducer } from '../src/tracing/prometheus.ts'
import { createTracer } from '../src/tracing/tracer.ts'
import { kind, toy, type ToyContext } from './toy.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${spanId}-01`

test('traceparent is read as the standard says', () => {
  const spanBelow = (text: unknown) => createTracer().begin('x', 'server', text)
  expect(spanBelow(traceparent).traceparent).toMatch(
    new RegExp(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-01$`),
  )
  expect(spanBelow(traceparent).context).toMatchObject({ traceId, traceFlags: 1 })
  expect(spanBelow(`01-${traceId}-${spanId}-00-more`).context).toMatchObject({ traceId, traceFlags: 0 })
  const zeros = (digits: number) => '0'.repeat(digits)
  const invalid = [
    undefined,
    '',
    'x',
    traceparent.toUpperCase(),
    `${traceparent}-more`,
    `ff${traceparent.slice(2)}`,
    [traceparent],
  ]
  for (const text of [...invalid, `00-${zeros(32)}-${spanId}-01`, `00-${traceId}-${zeros(16)}-01`])
    expect(spanBelow(text).context.traceId).toMatch(new RegExp(`^(?!${traceId}|0{32})[0-9a-f]{32}$`))
})

test('a collector that refuses costs spans, and one warning', async () => {
  const collector = await startTraceCollector()
  const lines: string[] = []
  const log = createLog('toy', { level: 'info', destination: { write: (line) => void lines.push(line) } })
  const tracer = createTracer(collectorAt({ endpoint: collector.endpoint, service: 'toy', log, everyMs: 1 }))
  const sent = async (name: string) => {
    const before = collector.spans.length + lines.length
    tracer.begin(name, 'internal').end()
    await until(() => collector.spans.length + lines.length > before)
  }
  await sent('first')
  collector.state.refuses = true
  await sent('lost')
  collector.state.refuses = false
  tracer.begin('second', 'internal').end({ size: 1 }, 'it broke')
  await tracer.close()
  expect(collector.spans.map(({ name }) => name)).toEqual(['first', 'second'])
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['warn', 'warn'])
  await collector.close()
})

test('a service stops cleanly while its collector is away', async () => {
  const gone = await startTraceCollector()
  await gone.close()
  const log = createLog('toy', { level: 'silent' })
  const tracer = createTracer(collectorAt({ endpoint: gone.endpoint, service: 'toy', log }))
  tracer.begin('lost', 'internal').end()
  await expect(tracer.close()).resolves.toBeUndefined()
})

test('metrics leave out values that are no number: a collector refuses the whole report for one', async () => {
  const registry = new Registry()
  const lag = new Gauge({ name: 'lag_seconds', help: 'Lag', labelNames: ['of'], registers: [registry] })
  lag.set({ of: 'nothing measured' }, Number.NaN)
  lag.set({ of: 'a queue' }, 0.25)
  new Gauge({ name: 'endless', help: 'Endless', registers: [registry] }).set(Infinity)
  const { resourceMetrics } = await createPrometheusProducer(registry).collect()
  const points = resourceMetrics.scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .flatMap(({ dataPoints }) => dataPoints.map(({ value }) => value))
  expect(points).toEqual([0.25])
})

let servers: Servers
let collector: TraceCollector
let service: RunningService<ToyContext>
const lines: Record<string, unknown>[] = []
beforeAll(async () => {
  servers = await startServers()
  collector = await startTraceCollector()
  const env = {
    ...servers.env,
    PORT: '0',
    STATEEVAL_NAMESPACE: namespace(),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  }
  const log = createLog('toy', {
    level: 'debug',
    destination: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  })
  const job = {
    takes: kind,
    validate: (payload: unknown) => payload,
    handle: async () => {
      getCurrentSpan()?.part('digging', 5)
      log.info('at work')
      return null
    },
  }
  service = (await startService({ ...toy, jobs: () => [job] }, { env, log })) as RunningService<ToyContext>
  await service.context.bus.ready()
})
afterAll(async () => {
  await service?.stop(0)
  await collector?.close()
  await servers?.stop()
})

test('a request, the job that it queues, their lines and their parts are one trace', async () => {
  const headers = { traceparent, 'x-request-id': 'traced' }
  const answered = await service.app.inject({
    method: 'POST',
    url: '/v1/things',
    headers,
    payload: { size: 3 },
  })
  expect(answered.statusCode).toBe(201)
  const ended = await until(() => lines.find(({ msg }) => msg === 'job ended'))
  const of = (text: string) => lines.find(({ msg }) => msg === text)
  for (const line of [of('answered'), of('at work'), ended]) expect(line).toMatchObject({ trace_id: traceId })
  expect(ended['parts']).toEqual({ digging: 5 })
  expect(of('at work')!['span_id']).toBe(ended['span_id'])
  expect(of('answered')!['span_id']).not.toBe(ended['span_id'])

  const spans = await until(() =>
    collector.spans.filter((span) => span.traceId === traceId).length === 3 ? collector.spans : undefined,
  )
  const byName = (name: string) => spans.find((span) => span.name === name)!
  expect(byName('POST /v1/things')).toMatchObject({
    parentSpanId: spanId,
    kind: 2,
    spanId: of('answered')!['span_id'],
  })
  expect(byName(kind)).toMatchObject({
    parentSpanId: byName('POST /v1/things').spanId,
    kind: 5,
    spanId: ended['span_id'],
  })
  const part = byName('digging')
  expect(part).toMatchObject({ parentSpanId: byName(kind).spanId })
  expect(Number(BigInt(part.endTimeUnixNano) - BigInt(part.startTimeUnixNano)) / 1e6).toBeCloseTo(5, 1)
})

test('who asks without a trace begins one, and what looks after the service is none', async () => {
  lines.length = 0
  await service.app.inject({ method: 'GET', url: '/v1/things/one' })
  const { trace_id: freshId } = await until(() => lines.find(({ msg }) => msg === 'answered'))
  expect(freshId).toMatch(/^[0-9a-f]{32}$/)
  expect(freshId).not.toBe(traceId)
  await service.app.inject({ method: 'GET', url: '/health/live' })
  await service.app.inject({ method: 'GET', url: '/metrics' })
  await service.context.tracer.close()
  expect(collector.spans.filter(({ name }) => /health|metrics/.test(name))).toEqual([])
})
