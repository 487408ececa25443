/** What can be read of an evaluation before it has succeeded, and of one of its cases. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { getFirstAnswer } from '@stateeval/program'
import type {
  EvaluationResource,
  ReferenceAnswer,
  Report,
  SampleAnswer,
  ScoredSample,
} from '@stateeval/contracts'
import { type Servers, startServers, until } from '@stateeval/testkit'
import type { EvaluationContext } from '../src/context.ts'
import { startWithFakes, type WithFakes } from './fake-services.ts'
import { benchmark } from '../../../packages/flows/test/fakes.ts'
import { callerAt } from './over-http.ts'

let servers: Servers
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers?.stop())
let world: WithFakes
afterEach(() => world?.stop())

const options = { scenario: 'session-service', programs: 12, keep: 4, seed: 1 }
type Page<T> = { items: T[]; next?: string }

test('a report of an evaluation that runs or was cancelled is of the samples that have ended, and says so', async () => {
  let slow = true
  world = await startWithFakes(servers, {
    sweepEveryMs: 300,
    disturb: async (kind, id) =>
      void (
        slow &&
        id.startsWith('ev_') &&
        kind === 'score' &&
        (await new Promise((r) => setTimeout(r, 40)))
      ),
  })
  const caller = callerAt(() => world.running.url)
  const set = await caller.buildSet(options)
  const { id } = await caller.begin({ benchmark: set.id, model: 'reference', samples: 30 })
  const path = `/v1/evaluations/${id}`
  await until(async () => (await caller.get<EvaluationResource>(path)).counts.scored > 5)

  const running = await caller.report(id)
  expect(running.result.partial).toEqual({
    status: 'running',
    ended: running.result.samples.length,
    samples: 120,
  })
  expect(running.result.samples.length).toBeGreaterThan(5)
  expect(running.result.overall).toMatchObject({ passed: running.result.samples.length, rate: 1 })
  expect(running.run.finishedAt).toBeUndefined()
  expect(running.run.wallMs).toBeGreaterThan(0)

  await caller.call('POST', `${path}/cancel`)
  const cancelled = await caller.report(id)
  expect(cancelled.result.partial).toMatchObject({ status: 'cancelled', samples: 120 })
  expect(cancelled.run.finishedAt).toBeDefined()

  slow = false
  await caller.call('POST', `${path}/resume`, {})
  await caller.ended(id)
  const whole = await caller.report(id)
  expect(whole.result).not.toHaveProperty('partial')
  expect(whole.result.overall).toMatchObject({ passed: 120, scored: 120 })
  expect(whole.run.cases).toHaveLength(4)
})

test('before the first sample there is no report, and why is told', async () => {
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  world = await startWithFakes(servers, {
    sweepEveryMs: 300,
    disturb: async (_, id) => void (id.startsWith('ev_') && (await released)),
  })
  const caller = callerAt(() => world.running.url)
  const set = await caller.buildSet(options)
  const { id } = await caller.begin({ benchmark: set.id, model: 'reference' })
  const early = await caller.call('GET', `/v1/evaluations/${id}/report`)
  expect([early.status, early.text]).toEqual([
    409,
    expect.stringContaining('no report yet: the baseline check is still running'),
  ])
  await caller.call('POST', `/v1/evaluations/${id}/cancel`)
  const cancelled = await caller.call('GET', `/v1/evaluations/${id}/report`)
  expect([cancelled.status, cancelled.text]).toEqual([
    409,
    expect.stringContaining('was cancelled before its first sample'),
  ])
  release()
})

test('of one case: its samples alone, its instruction and its reference answer', async () => {
  world = await startWithFakes(servers)
  const caller = callerAt(() => world.running.url)
  const set = await caller.buildSet(options)
  const cases = await caller.cases(set.id)
  const { id } = await caller.begin({ benchmark: set.id, model: 'mutant', samples: 3 })
  await caller.ended(id)
  const target = cases[2]!
  const path = (what: string, rest = '') => `/v1/evaluations/${id}/${what}?case=${target.id}${rest}`
  const both = async (rest = '') => [
    await caller.get<Page<SampleAnswer>>(path('answers', rest)),
    await caller.get<Page<ScoredSample>>(path('results', rest)),
  ]
  for (const { items, next } of await both()) {
    expect(items.map(({ case: name, sample }) => [name, sample])).toEqual(
      [0, 1, 2].map((sample) => [target.id, sample]),
    )
    expect(next).toBeUndefined()
  }
  const [first] = await both('&limit=2')
  expect(first!.items).toHaveLength(2)
  const [rest] = await both(`&limit=2&cursor=${first!.next}`)
  expect([rest!.items.map(({ sample }) => sample), rest!.next]).toEqual([[2], undefined])
  expect((await caller.call('GET', `/v1/evaluations/${id}/answers?case=none`)).status).toBe(404)

  const reference = await caller.get<ReferenceAnswer>(`/v1/benchmarks/${set.id}/cases/${target.id}/reference`)
  expect(reference).toMatchObject({
    case: target.id,
    language: 'javascript',
    instruction: target.instruction,
    answer: getFirstAnswer(benchmark.player(target, { language: 'javascript', prompting: 'direct' })),
  })
  const python = await caller.get<ReferenceAnswer>(
    `/v1/benchmarks/${set.id}/cases/${target.id}/reference?language=python`,
  )
  expect(python.answer).toBeNull()
})

test('a time limit reaches the runs of answers, not those of the baseline check; who ran into it is counted', async () => {
  world = await startWithFakes(servers)
  const caller = callerAt(() => world.running.url)
  const set = await caller.buildSet(options)
  const cases = await caller.cases(set.id)
  const answers = cases.map(({ id }, n) => ({
    case: id,
    answer:
      n === 0
        ? '// timeout'
        : getFirstAnswer(benchmark.player(cases[n]!, { language: 'javascript', prompting: 'direct' })),
  }))
  await (world.running.context as EvaluationContext).collections.baselineChecks.drop(set.manifest!.digest)
  world.fakes.executed.length = 0
  const { id } = await caller.begin({ benchmark: set.id, answers, timeLimit: 2.5 })
  expect((await caller.ended(id)).counts).toEqual({
    samples: 4,
    scored: 4,
    passed: 3,
    notScored: 0,
    timeouts: 1,
  })
  expect((await caller.get<Report>(`/v1/evaluations/${id}/report`)).result.options).toMatchObject({
    timeLimit: 2.5,
  })
  const limits = world.fakes.executed.map(
    ({ limits, inputs }) => limits && { ...limits, inputs: inputs.length },
  )
  expect(limits.filter((one) => one === undefined)).toHaveLength(4)
  const limited = limits.filter((one) => one !== undefined)
  expect(limited).toHaveLength(4)
  for (const { wallMs, cpuSeconds, inputs } of limited)
    expect([wallMs, cpuSeconds]).toEqual([2500, Math.ceil(2.5 * inputs)])
})
