/**
 * One trace leads from a request to its verdicts: HTTP, queue, sandbox, model and score, over services that
 * share nothing but NATS and
 * MongoDB. Spans are what a collector got.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type EvaluationResource, evaluationOperations, executionOperations } from '@stateeval/contracts'
import {
  type Attribute,
  type CollectedSpan,
  type ScriptedModel,
  startScriptedModel,
  startSuite,
  startTraceCollector,
  type Suite,
  type TraceCollector,
  until,
} from '@stateeval/testkit'

/** The span of the caller, who is no service of ours. */
const callerSpan = '00f067aa0ba902b7'
const traceOf = (digit: string) => digit.repeat(32)

let collector: TraceCollector
let model: ScriptedModel
let suite: Suite
let set: EvaluationResource
beforeAll(async () => {
  collector = await startTraceCollector()
  model = await startScriptedModel(() => ({ say: '```javascript\nRESULT = {}\n```', afterMs: 20 }))
  // One item after the other: each but the first is started by the end of the one before.
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    STATEEVAL_TELEMETRY_NAMES: 'true',
    STATEEVAL_WINDOW: '1',
  }
  suite = await startSuite({ env })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  set = await send('POST', '/v1/benchmarks/import', evaluationOperations.importBenchmark.example)
  await send('PUT', '/v1/models/mine', { baseUrl: model.baseUrl, model: 'm', concurrency: 1 })
})
afterAll(async () => {
  await suite?.stop()
  await model?.close()
  await collector?.close()
})

async function send(method: string, path: string, body?: unknown, traceId?: string) {
  const response = await fetch(`${suite.urls['evaluation']}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(traceId !== undefined && { traceparent: `00-${traceId}-${callerSpan}-01` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect([path, response.ok ? '' : text]).toEqual([path, ''])
  return JSON.parse(text) as EvaluationResource
}

/** Attributes by name, with their plain values. */
const valuesOf = ({ attributes }: { attributes: Attribute[] }): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, arrayValue } }) => [
      key,
      stringValue ??
        arrayValue?.values.map((one) => one.stringValue) ??
        Number(intValue ?? doubleValue ?? Number.NaN),
    ]),
  )

/** What was asked for within a trace has ended well. */
async function succeeded(path: string, body: unknown, traceId: string) {
  const { id } = await send('POST', path, body, traceId)
  const ended = await until(
    async () => {
      const now = await send('GET', `${path}/${id}`)
      return /queued|running/.test(now.status) ? null : now
    },
    { withinMs: 240_000, everyMs: 100 },
  )
  expect([ended.status, ended.error]).toEqual(['succeeded', undefined])
}

/** A trace, once nothing more is added to it: each span is below another one of it, or below the caller's. */
async function wholeTrace(traceId: string, isComplete: (spans: CollectedSpan[]) => boolean) {
  const spans = await until(
    () => {
      const traceSpans = collector.spans.filter((span) => span.traceId === traceId)
      const ids = new Set([callerSpan, ...traceSpans.map(({ spanId }) => spanId)])
      const isClosed = traceSpans.every(({ parentSpanId = '' }) => ids.has(parentSpanId))
      return traceSpans.length > 0 && isClosed && isComplete(traceSpans) ? traceSpans : null
    },
    { everyMs: 200 },
  )
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  for (const span of spans) {
    const parent = byId.get(span.parentSpanId ?? '')
    // All clocks are this machine's.
    if (parent)
      expect(Number(span.startTimeUnixNano)).toBeGreaterThanOrEqual(Number(parent.startTimeUnixNano))
  }
  /** From the caller's request down to a span: who did what. */
  const pathTo = (span: CollectedSpan): string[] => {
    const parent = byId.get(span.parentSpanId ?? '')
    return [...(parent ? pathTo(parent) : []), `${span.service}: ${span.name}`]
  }
  const named = (name: string) => spans.filter((span) => span.name === name)
  return { spans, pathTo, named }
}

const step = 'evaluation: jobs.evaluation.step'
const request = 'evaluation: POST /v1/evaluations'
const execute = 'execution: jobs.execution.execute'
const score = 'scoring: jobs.scoring.score'
/** A verdict arrives with the step below a score. */
const scoredSteps = (spans: CollectedSpan[]) => {
  const scores = new Set(
    spans.filter(({ name }) => name === 'jobs.scoring.score').map(({ spanId }) => spanId),
  )
  return spans.filter(({ name, parentSpanId = '' }) => name !== 'evaluate' && scores.has(parentSpanId)).length
}
test('each verdict of an evaluation is at the end of a path of its own from the request', async () => {
  const traceId = traceOf('a')
  await succeeded('/v1/evaluations', { benchmark: set.id, model: 'reference' }, traceId)
  // Of the set's only case: that of the baseline check, and that of the sample.
  const verdicts = 2
  const { spans, pathTo, named } = await wholeTrace(traceId, (all) => scoredSteps(all) === verdicts)
  expect(named('POST /v1/evaluations').map(({ parentSpanId }) => parentSpanId)).toEqual([callerSpan])
  const scores = named('jobs.scoring.score')
  expect(scores).toHaveLength(verdicts)
  for (const span of scores) expect(pathTo(span)).toEqual([request, step, execute, step, score])
  const isBelow = (parents: CollectedSpan[]) => (span: CollectedSpan) =>
    parents.some(({ spanId }) => spanId === span.parentSpanId)
  const evaluated = named('evaluate')
  expect(evaluated.map((span) => valuesOf(span)['gen_ai.evaluation.score.label'])).toEqual([
    'passed',
    'passed',
  ])
  for (const span of spans.filter(isBelow(scores)).filter((span) => !evaluated.includes(span)))
    expect(pathTo(span)).toEqual([request, step, execute, step, score, step])
  // What the sandbox did stands below its job.
  const layers = spans
    .filter(isBelow(named('jobs.execution.execute')))
    .filter(({ name }) => !/^jobs/.test(name))
  expect(layers.length).toBeGreaterThan(0)
  expect(new Set(layers.map(({ service }) => service))).toEqual(new Set(['execution']))
})

test('a question to a model is a span on the way to the verdict, and no item stands below another one', async () => {
  const traceId = traceOf('b')
  const samples = 3
  await succeeded('/v1/evaluations', { benchmark: set.id, model: 'mine', samples }, traceId)
  const { pathTo, named } = await wholeTrace(traceId, (all) => scoredSteps(all) === 1 + samples)
  const ask = 'evaluation: jobs.evaluation.ask'
  const questions = named('chat m')
  expect(questions).toHaveLength(samples)
  for (const span of questions) {
    expect(pathTo(span).filter((name) => name !== step)).toEqual([request, ask, 'evaluation: chat m'])
    expect(Number(span.endTimeUnixNano)).toBeGreaterThan(Number(span.startTimeUnixNano))
    expect(valuesOf(span)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'm',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': expect.any(Number),
      'server.address': '127.0.0.1',
    })
    // 3: a client.
    expect(span.kind).toBe(3)
  }
  const paths = named('jobs.scoring.score')
    .map(pathTo)
    .filter((path) => path.includes(ask))
  // Two are in flight, whose starts were queued; the third one began where another ended, and is a branch of
  // the request all the same.
  const fromQuestion = [ask, execute, step, score]
  expect(paths.sort((a, b) => b.length - a.length)).toEqual([
    [request, step, ...fromQuestion],
    [request, step, ...fromQuestion],
    [request, ...fromQuestion],
  ])
})

test('each score is an event in the trace of its evaluation, and metrics arrive by OTLP', async () => {
  const ofTrace = () => collector.logs.filter(({ traceId }) => traceId === traceOf('b'))
  const logs = await until(() => (ofTrace().length === 3 ? ofTrace() : null))
  for (const record of logs) {
    expect([record.service, record.eventName]).toEqual(['evaluation', 'gen_ai.evaluation.result'])
    expect(valuesOf(record)).toMatchObject({
      'gen_ai.evaluation.name': 'stateeval',
      'gen_ai.evaluation.score.value': 0,
      'gen_ai.evaluation.score.label': expect.stringMatching(/_error$/),
      'stateeval.evaluation': expect.stringMatching(/^ev_/),
    })
  }
  expect(logs.map((record) => valuesOf(record)['stateeval.sample']).sort()).toEqual([0, 1, 2])
  const newest = (name: string) => collector.points.filter((point) => point.name === name)
  const [duration] = await until(() => {
    const points = newest('gen_ai.client.operation.duration').filter(({ count }) => Number(count) === 3)
    return points.length > 0 ? points : null
  })
  expect(valuesOf(duration!)).toMatchObject({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' })
  expect([duration!.unit, duration!.explicitBounds?.[0]]).toEqual(['s', 0.01])
  const types = new Set(newest('gen_ai.client.token.usage').map((one) => valuesOf(one)['gen_ai.token.type']))
  expect(types).toEqual(new Set(['input', 'output']))
  // What /metrics shows arrives, too: counters, gauges, histograms.
  const jobs = await until(() => newest('stateeval_jobs_total').at(-1))
  expect(valuesOf(jobs)).toMatchObject({ outcome: expect.any(String) })
  const seconds = newest('stateeval_job_duration_seconds').at(-1)!
  const counted = seconds.bucketCounts!.reduce<number>((sum, one) => sum + Number(one), 0)
  expect([counted, seconds.unit]).toEqual([Number(seconds.count), 's'])
  expect(newest('stateeval_jobs_in_flight').length).toBeGreaterThan(0)
})

test('a call of a tool is a span', async () => {
  const trace = { traceparent: `00-${traceOf('d')}-${callerSpan}-01`, 'content-type': 'application/json' }
  const post = async (path: string, body: unknown) => {
    const options = { method: 'POST', headers: trace, body: JSON.stringify(body) }
    const response = await fetch(`${suite.urls['execution']}${path}`, options)
    return (await response.json()) as { id: string }
  }
  const { id } = await post('/v1/sessions', executionOperations.openSession.example)
  await post(`/v1/sessions/${id}/calls`, {
    index: 0,
    calls: [{ id: 'a', name: 'noSuchTool', arguments: '{}' }],
  })
  const { named } = await wholeTrace(traceOf('d'), (all) =>
    all.some(({ name }) => /^execute_tool/.test(name)),
  )
  const [call] = named('execute_tool noSuchTool')
  expect(valuesOf(call!)).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'noSuchTool',
    'error.type': 'tool_error',
  })
})

test('a build is one trace through generation, execution and translation', async () => {
  const traceId = traceOf('c')
  const build = { scenario: 'session-service', strategy: 'coverage', programs: 2, keep: 1, seed: 3 }
  await succeeded('/v1/benchmarks', { build }, traceId)
  const { pathTo, named } = await wholeTrace(traceId, (all) =>
    all.some(({ name }) => name === 'jobs.translation.translate'),
  )
  const begun = 'evaluation: POST /v1/benchmarks'
  expect(named('jobs.trace-generation.generate').map(pathTo)).toEqual([
    [begun, step, 'trace-generation: jobs.trace-generation.generate'],
  ])
  for (const [name, service] of [
    ['jobs.execution.execute', 'execution'],
    ['jobs.translation.translate', 'translation'],
  ] as const)
    for (const span of named(name)) {
      const path = pathTo(span)
      expect([path[0], path.at(-1)]).toEqual([begun, `${service}: ${name}`])
    }
})
