/**
 * One trace leads from a request to its verdicts: HTTP, queue, sandbox, model and score, over services that
 * share nothing but NATS and
 * MongoDB. Spans are what a collector got.
 */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type EvaluationResource, evaluationOperations } from '@stateeval/contracts'
import {
  type CollectedSpan,
  type ScriptedModel,
  startScriptedModel,
  startSuite,
  startTraceCollector,
  type Suite,
  type TraceCollector,
  until,
} from '@stateeval/testkit'

jest.setTimeout(300_000)

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
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, STATEEVAL_WINDOW: '1' }
  suite = await startSuite({ env })
  await Promise.all(Object.values(suite.services).map(({ context }) => context.bus.ready()))
  set = await send('POST', '/v1/benchmarks/import', evaluationOperations.importBenchmark.example)
  await send('PUT', '/v1/models/mine', { baseUrl: model.baseUrl, model: 'm', concurrency: 1 })
}, 300_000)
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
    { withinMs: 60_000, everyMs: 200 },
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
  return spans.filter(({ parentSpanId = '' }) => scores.has(parentSpanId)).length
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
  for (const span of spans.filter(isBelow(scores)))
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
  const questions = named('model')
  expect(questions).toHaveLength(samples)
  for (const span of questions) {
    expect(pathTo(span).filter((name) => name !== step)).toEqual([request, ask, 'evaluation: model'])
    expect(Number(span.endTimeUnixNano)).toBeGreaterThan(Number(span.startTimeUnixNano))
    expect(span.attributes.map(({ key }) => key)).toContain('model.outcome')
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
