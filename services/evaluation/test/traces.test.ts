/** A message that was lost is sent again within the trace that began its evaluation. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { streams, subjects } from '@stateeval/contracts'
import {
  type Servers,
  startServers,
  startTraceCollector,
  type TraceCollector,
  until,
} from '@stateeval/testkit'
import { connect } from 'nats'
import { startFakes, startWithFakes, type WithFakes } from './fake-services.ts'
import { callerAt } from './over-http.ts'

const traceId = 'd'.repeat(32)

let servers: Servers
let collector: TraceCollector
let started: WithFakes
beforeAll(async () => {
  servers = await startServers()
  collector = await startTraceCollector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }
  started = await startWithFakes(servers, { ns: 'lost', env, sweepEveryMs: 200 })
})
afterAll(async () => {
  await started?.stop()
  await collector?.close()
  await servers?.stop()
})

test('a job that was lost is asked for again below the request that began it', async () => {
  const { running } = started
  const caller = callerAt(() => running.url)
  const { id: set } = await caller.buildSet({ scenario: 'session-service', programs: 4, keep: 2 })
  await started.fakes.stop()
  const response = await fetch(`${running.url}/v1/evaluations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    body: JSON.stringify({ benchmark: set, model: 'reference' }),
  })
  const { id } = (await response.json()) as { id: string }
  const { bus } = running.platform
  await until(async () => (await bus.waiting(subjects.execute)) > 0)
  const nc = await connect({ servers: servers.natsUrl })
  await (await nc.jetstreamManager()).streams.purge(`lost-${streams.jobs}`)
  await nc.close()
  expect(await bus.waiting(subjects.execute)).toBe(0)
  started.fakes = startFakes(running)
  expect(await caller.ended(id)).toMatchObject({ status: 'succeeded' })

  const scored = () => collector.spans.filter((span) => span.traceId === traceId)
  await until(() => scored().some(({ name }) => name === subjects.score))
  const spans = scored()
  const request = spans.find(({ name }) => name === 'POST /v1/evaluations')!
  const executed = spans.filter(({ name }) => name === subjects.execute)
  expect(executed.length).toBeGreaterThan(0)
  // The first message was sent by the step that the request queued; what the sweep sends stands below the
  // request itself.
  expect(executed.map(({ parentSpanId }) => parentSpanId)).toContain(request.spanId)
  expect(
    collector.spans.filter(({ name, traceId: otherId }) => name === subjects.score && otherId !== traceId),
  ).toEqual([])
})
