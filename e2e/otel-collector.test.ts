/**
 * A real collector of OpenTelemetry takes the spans, log events and metrics of every service, without a
 * refusal. With STATEEVAL_LONG, as Go builds the collector first.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type EvaluationResource, evaluationOperations, serviceNames } from '@stateeval/contracts'
import {
  isLong,
  type OtelCollector,
  otelCollectorBinary,
  startOtelCollector,
  startScriptedModel,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'

const binary = isLong
  ? otelCollectorBinary()
  : ({ ok: false, reason: 'scripts/test --long does it' } as const)
if (!binary.ok) console.log(`skipped: a collector of OpenTelemetry: ${binary.reason}`)
const withCollector = binary.ok ? test : test.skip

let collector: OtelCollector
let suite: Suite
beforeAll(async () => {
  if (!binary.ok) return
  collector = await startOtelCollector(binary.path)
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    STATEEVAL_TELEMETRY_NAMES: 'true',
  }
  suite = await startSuite({ env })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
})
afterAll(async () => {
  await suite?.stop()
  await collector?.stop()
})

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${suite.urls['evaluation']}${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const text = await response.text()
  expect([path, response.ok ? '' : text]).toEqual([path, ''])
  return JSON.parse(text) as T
}

withCollector('spans, the result of a sample, and metrics of all services arrive', async () => {
  const model = await startScriptedModel(() => ({ say: '```javascript\nRESULT = {}\n```' }))
  const example = evaluationOperations.importBenchmark.example
  const { id: benchmark } = await asked<{ id: string }>('POST', '/v1/benchmarks/import', example)
  await asked('PUT', '/v1/models/mine', { baseUrl: model.baseUrl, model: 'scripted' })
  const { id } = await asked<EvaluationResource>('POST', '/v1/evaluations', { benchmark, model: 'mine' })
  const isOver = async () =>
    !/queued|running/.test((await asked<EvaluationResource>('GET', `/v1/evaluations/${id}`)).status)
  await until(isOver, { withinMs: 240_000, everyMs: 100 })
  await model.close()

  const hasAll = () => {
    const { spans, events, metrics } = collector.received()
    return (
      serviceNames.every((name) => metrics.get(name)?.has('process_cpu_seconds_total')) &&
      metrics.get('evaluation')?.has('gen_ai.client.operation.duration') &&
      events.get('evaluation')?.has('gen_ai.evaluation.result') &&
      spans.get('evaluation')?.has('chat scripted') &&
      spans.get('execution')?.has('jobs.execution.execute') &&
      spans.get('scoring')?.has('evaluate')
    )
  }
  await until(hasAll, { everyMs: 200 }).catch((error: unknown) => {
    const { spans, events } = collector.received()
    const received = [...spans, ...events].map(([service, names]) => `${service}: ${[...names].join(', ')}`)
    throw new Error(`received only ${received.join('; ')}; ${collector.log}`, { cause: error })
  })
  const { output, log } = collector
  expect(output).toContain('gen_ai.evaluation.score.label: Str(result_error)')
  expect(output).toContain(`stateeval.evaluation: Str(${id})`)
  // Gauges of Node are no numbers before there is anything to measure; a collector refuses reports with one.
  expect(output).toContain('nodejs_eventloop_lag_seconds')
  expect(log.split('\n').filter((line) => /\t(?:warn|error)\t/.test(line))).toEqual([])
})
