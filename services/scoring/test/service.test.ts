/** The service on real servers: what a caller and a queue see. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { buildProgramCandidate } from '@stateeval/program'
import {
  type Observation,
  type SpeakerReply,
  scoringOperations as operations,
  type ScoreRequest,
  subjects,
} from '@stateeval/contracts'
import type { RunningService } from '@stateeval/service-kit'
import {
  answerFault,
  contractFaults,
  nonsenseFaults,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import { cases, predict } from '../../../benchmarks/stateeval/test/cases.ts'

let suite: Suite
let service: RunningService
beforeAll(async () => {
  suite = await startSuite({ only: ['scoring'] })
  service = suite.services['scoring'] as RunningService
  await service.platform.bus.ready()
})
afterAll(() => suite?.stop())

interface Body {
  field?: string
  scores: unknown[]
  comparison?: { pairs: unknown[] }
}
/** Calls an operation; the answer is held against its contract. */
async function call(id: keyof typeof operations, body: unknown) {
  const { method, path } = operations[id]
  const response = await service.app.inject({ method, url: path, payload: body as object })
  expect(answerFault(operations, id, response)).toBeNull()
  return { status: response.statusCode, body: response.json<Body>() }
}
const world = { state: { items: [] }, ids: { initial: [], created: [] }, gone: [] }
const observed = (result: unknown): Observation => ({
  ending: { status: 'completed', result },
  world,
  log: [],
  output: '',
  faults: [],
  wallMs: 1,
  sandbox: 'none',
})
const plain = (expected: unknown, actual: unknown) => ({
  scenario: 'session-service',
  expected: [{ result: expected, world }],
  observed: [observed(actual)],
})
const [right, other] = cases(2)
const request = (from = right): ScoreRequest => ({
  kind: 'stateeval',
  case: right!,
  candidate: buildProgramCandidate({
    code: '',
    observations: right!.oracles.map(({ input }) => predict(from!.program, input)),
  }),
})

test('every operation has its route file, a fitting example and its errors', () => {
  expect(contractFaults(operations, join(import.meta.dirname, '../src/routes'))).toEqual([])
})

test('nonsense is refused with a problem that helps, and breaks nothing', async () => {
  expect(await nonsenseFaults(service.app, operations)).toEqual([])
})

test('expectations and observations are scored alone', async () => {
  expect((await call('createScores', plain({ a: 1 }, { a: 1 }))).body.scores).toMatchObject([
    { passed: true, verdict: 'passed', metrics: { pass: 1 } },
  ])
  const [score] = (await call('createScores', plain({ a: 1 }, { a: 2 }))).body.scores
  expect(score).toMatchObject({
    passed: false,
    verdict: 'result_error',
    evidence: { input: 0, differences: [{ where: 'result.a', says: 'RESULT.a is 2, expected 1' }] },
  })
  expect((await call('createScores', operations.createScores.example)).body.scores).toMatchObject([
    { verdict: 'result_error' },
  ])
})

test('a batch is scored in its order, benchmarks and plain items mixed', async () => {
  const { body } = await call('createScores', {
    items: [request(), plain(1, 2), request(other), { ...request(), policy: 'sound' }],
  })
  expect((body.scores as { passed: boolean }[]).map(({ passed }) => passed)).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(body.scores[2]).toMatchObject({ evidence: { rootCause: { because: expect.any(String) } } })
})

test.each([
  [{}, 400, undefined],
  [{ ...request(), kind: 'atlantis' }, 422, '/kind'],
  [{ ...request(), policy: 'kind' }, 422, '/policy'],
  [{ ...plain(1, 1), scenario: 'atlantis' }, 422, '/scenario'],
  [{ ...plain(1, 1), observed: [observed(1), observed(1)] }, 422, '/observed'],
  [{ items: [plain(1, 1), { ...plain(1, 1), scenario: 'atlantis' }] }, 422, '/items/1/scenario'],
  [{ items: [] }, 400, undefined],
])('what can’t be scored is refused (%#)', async (body, status, field) => {
  const answer = await call('createScores', body)
  expect(answer).toMatchObject({ status, body: { type: expect.stringContaining('urn:stateeval:problem:') } })
  if (field) expect(answer.body.field).toBe(field)
})

test('intervals, pass@k and pass^k', async () => {
  const { body } = await call('computeStatistics', {
    proportions: [
      { name: 'all', successes: 5, total: 10 },
      { successes: 0, total: 0 },
    ],
    clustered: [{ name: 'alike', cases: [0, 4, 0, 4, 4, 0, 0, 4].map((passed) => ({ samples: 4, passed })) }],
    passAtK: {
      k: [1, 2, 9],
      cases: [
        { samples: 4, passed: 2 },
        { samples: 2, passed: 0 },
      ],
    },
  })
  expect(body).toEqual({
    proportions: [
      { name: 'all', rate: 0.5, interval: [0.236593, 0.763407] },
      { rate: null, interval: null },
    ],
    clustered: [{ name: 'alike', rate: 0.5, interval: [0.125, 0.875] }],
    passAtK: [
      { k: 1, estimate: 0.25, cases: 2 },
      { k: 2, estimate: 0.416667, cases: 2 },
      { k: 9, estimate: null, cases: 0 },
    ],
    passAllK: [
      { k: 1, estimate: 0.25, cases: 2 },
      { k: 2, estimate: 0.083333, cases: 2 },
      { k: 9, estimate: null, cases: 0 },
    ],
    explanations: expect.objectContaining({ passAllK: expect.stringContaining('all of k answers pass') }),
  })
})

test('models that were run anywhere are compared', async () => {
  const model = (name: string, passes: (n: number) => boolean, samples = 1) => ({
    name,
    cases: Array.from({ length: 30 }, (_, n) => ({
      case: `c${n}`,
      samples,
      passed: passes(n) ? samples : 0,
    })),
  })
  const models = [model('a', () => true), model('b', (n) => n >= 12), model('c', (n) => n >= 12, 3)]
  const { body } = await call('computeStatistics', { models })
  expect(body.comparison?.pairs).toMatchObject([
    {
      a: 'a',
      b: 'b',
      difference: 0.4,
      betterA: 12,
      betterB: 0,
      test: 'mcnemar',
      p: 0.000488,
      adjusted: 0.001465,
      significant: true,
    },
    { a: 'a', b: 'c', difference: 0.4, test: 'sign-flip', exact: true, p: 0.000488, adjusted: 0.001465 },
    { a: 'b', b: 'c', difference: 0, p: 1, adjusted: 1, significant: false, leastDifference: null },
  ])
})

test('others get their turn while models are compared', async () => {
  const models = ['a', 'b', 'c'].map((name, at) => ({
    name,
    cases: Array.from({ length: 300 }, (_, n) => ({
      case: `c${n}`,
      samples: 1,
      passed: n % (at + 2) === 0 ? 1 : 0,
    })),
  }))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const { status } = await call('computeStatistics', { models })
  clearInterval(timer)
  expect(status).toBe(200)
  expect(turns).toBeGreaterThan(10)
})

test.each([
  [{ proportions: [{ successes: 2, total: 1 }] }, '/proportions/0/successes'],
  [{ clustered: [{ cases: [{ samples: 1, passed: 2 }] }] }, '/clustered/0/cases/0/passed'],
  [{ passAtK: { k: [1], cases: [{ samples: 1, passed: 2 }] } }, '/passAtK/cases/0/passed'],
  [
    {
      models: [
        { name: 'a', cases: [{ case: 'x', samples: 1, passed: 1 }] },
        { name: 'b', cases: Array(2).fill({ case: 'x', samples: 1, passed: 1 }) },
      ],
    },
    '/models/1/cases',
  ],
])('numbers that can’t be are refused by name (%#)', async (body, field) => {
  expect(await call('computeStatistics', body)).toMatchObject({ status: 422, body: { field } })
})

test('a job is scored and answered, not stored, and refused where no retry would help', async () => {
  const { platform } = service
  const replies: SpeakerReply[] = []
  const consuming = platform.bus.consume(subjects.step, { concurrency: 1 }, async (delivery) => {
    replies.push((delivery.message?.payload as { inline: unknown }).inline as SpeakerReply)
    delivery.ack()
  })
  const ask = async (id: string, value: object) => {
    const before = replies.length
    await platform.send(subjects.score, {
      id,
      value,
      replyTo: { subject: subjects.step, correlation: id, carried: { inline: 'mine' } },
    })
    return until(() => replies[before])
  }
  const good = {
    correlation: 'good',
    carried: { inline: 'mine' },
    outcome: { status: 'done', value: { inline: { passed: true } } },
  }
  expect(await ask('good', request())).toMatchObject(good)
  expect(await platform.outcomes.find('good')).toBeNull()
  const refused = { status: 'refused', reason: expect.stringContaining('atlantis') }
  expect(await ask('bad', { ...request(), kind: 'atlantis' })).toMatchObject({ outcome: refused })
  await consuming.stop()
})
