/** The service on real servers: what a caller sees. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { traceGenerationOperations as operations, sha256 } from '@stateeval/contracts'
import { listArtifacts, readSafetensors } from '@stateeval/program'
import type { RunningService } from '@stateeval/service-kit'
import {
  isLong,
  answerFault,
  contractFaults,
  liveHeapMiB,
  nonsenseFaults,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'

let suite: Suite
let service: RunningService
beforeAll(async () => {
  suite = await startSuite({ only: ['trace-generation'] })
  service = suite.services['trace-generation'] as RunningService
  await service.platform.bus.ready()
})
afterAll(() => suite?.stop())

/** Calls an operation; the answer is held against its contract. */
async function call(
  id: keyof typeof operations,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const method = operations[id].method
  const response = await service.app.inject({
    method,
    url: path,
    headers,
    ...(body !== undefined && { payload: body as object }),
  })
  expect(answerFault(operations, id, response)).toBeNull()
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}
async function generated(options: object) {
  const { body } = await call('createGeneration', '/v1/generations', options)
  return until(
    async () => {
      const { body: now } = await call('getGeneration', `/v1/generations/${body.id}`)
      return now.status !== 'queued' && now.status !== 'running' && now
    },
    { withinMs: 500_000 },
  )
}

test('every operation has its route file, a fitting example and its errors', () => {
  expect(contractFaults(operations, join(import.meta.dirname, '../src/routes'))).toEqual([])
})

test('scenarios are listed, described and documented', async () => {
  const { body } = await call('listScenarios', '/v1/scenarios')
  const ids = body.items.map(({ id }: { id: string }) => id)
  expect(ids).toContain('session-service')
  const scenario = (await call('getScenario', '/v1/scenarios/session-service')).body
  expect(scenario.operations).toContainEqual({ id: 'addSession', optIn: false })
  const { body: read } = await call(
    'getScenarioDocumentation',
    '/v1/scenarios/session-service/documentation?language=javascript',
  )
  expect(read.markdown).toContain('session')
  expect((await call('getScenario', '/v1/scenarios/atlantis')).status).toBe(404)
})

test('a level of difficulty sets what a generation leaves open', async () => {
  const options = async (request: object) =>
    (await call('createGeneration', '/v1/generations', { scenario: 'session-service', count: 1, ...request }))
      .body.options
  expect(await options({})).toMatchObject({ difficulty: 3, length: 6, pathDepth: { min: 2 } })
  expect(await options({ difficulty: 5, distractors: 0 })).toMatchObject({
    length: 10,
    branches: 1,
    bindings: { min: 12 },
    distractors: 0,
  })
  const plain = await options({ bindings: { min: 3 } })
  expect(plain).toMatchObject({ length: 5, bindings: { min: 3 } })
  expect(plain).not.toHaveProperty('difficulty')
  const refused = await call('createGeneration', '/v1/generations', {
    scenario: 'session-service',
    length: 4,
    pathDepth: { min: 4 },
  })
  expect(refused).toMatchObject({ status: 422, body: { field: '/pathDepth/min' } })
  const narrow = await call('createGeneration', '/v1/generations', {
    scenario: 'session-service',
    length: 2,
    branches: 1.5,
  })
  expect(narrow).toMatchObject({ status: 422, body: { field: '/branches' } })
})

test('a generation runs, shows its programs page by page and its coverage', async () => {
  const done = await generated({ scenario: 'session-service', strategy: 'coverage', count: 30, seed: 3 })
  expect(done).toMatchObject({
    status: 'succeeded',
    progress: { done: 30, total: 30 },
    statistics: { programs: 30, apis: 5 },
  })
  const first = (await call('listGenerationPrograms', `${done.links.programs}?limit=20`)).body
  const second = (
    await call('listGenerationPrograms', `${done.links.programs}?limit=20&cursor=${first.next}`)
  ).body
  const ids = [...first.items, ...second.items].map(({ id }) => id)
  expect([first.items.length, second.items.length, second.next, new Set(ids).size]).toEqual([
    20,
    10,
    undefined,
    30,
  ])
  const coverage = (await call('getGenerationCoverage', done.links.coverage)).body
  expect(coverage.adjacentPairs).toHaveLength(30)
  expect(coverage.adjacentPairs.at(-1)).toBe(done.statistics.adjacentPairs)
  expect(coverage.atc.at(-1)).toBeCloseTo(done.statistics.adjacentPairs / 25)
  expect(coverage.feasible).toBe(25)
  expect(coverage.atcFeasible.at(-1)).toBeCloseTo(done.statistics.adjacentPairs / 25)
  expect(done.statistics).toMatchObject({ feasible: 25, atcFeasible: coverage.atcFeasible.at(-1) })
  expect(coverage.transitionPairs.at(-1)).toBe(done.statistics.transitionPairs)
})

test('where the APIs allow no program, statistics are numbers all the same', async () => {
  const done = await generated({ scenario: 'session-service', only: ['deleteSession'], count: 2 })
  expect(done.statistics).toMatchObject({
    programs: 0,
    exhausted: true,
    adjacentPairs: 0,
    atc: 0,
    feasible: 0,
  })
  expect(done.statistics).not.toHaveProperty('atcFeasible')
})

test('what programs name is kept with the generation, and given to nobody else', async () => {
  const [done, other] = await Promise.all(
    [1, 2].map((seed) =>
      generated({ scenario: 'tensor-operation', strategy: 'random', count: 2, length: 2, seed }),
    ),
  )
  const { items } = (await call('listGenerationPrograms', done.links.programs)).body
  const named = listArtifacts(items)
  expect(named.length).toBeGreaterThan(0)
  const artifact = (id: string, hash: string) =>
    service.app.inject({ url: `/v1/generations/${id}/artifacts/${hash}` })
  for (const hash of named) {
    const { statusCode, rawPayload } = await artifact(done.id, hash)
    expect([statusCode, sha256(rawPayload), readSafetensors(rawPayload).ok]).toEqual([200, hash, true])
    expect((await artifact(other.id, hash)).statusCode).toBe(404)
  }
})

test('the same options give the same bytes, another seed gives others', async () => {
  const programs = async (options: object) => {
    const { id } = await generated({ scenario: 'session-service', count: 4, ...options })
    return JSON.stringify((await call('listGenerationPrograms', `/v1/generations/${id}/programs`)).body)
  }
  const once = await programs({ seed: 'a' })
  expect(await programs({ seed: 'a' })).toBe(once)
  expect(await programs({ seed: 'b' })).not.toBe(once)
})

test('programs are written as code and measured', async () => {
  const { id } = await generated({ scenario: 'session-service', count: 3 })
  const programs = (await call('listGenerationPrograms', `/v1/generations/${id}/programs`)).body.items
  const { body } = await call('emitPrograms', '/v1/programs/emit', { language: 'javascript', programs })
  expect(body.code[0]).toContain('RESULT')
  const { metrics } = (await call('measurePrograms', '/v1/programs/metrics', { programs })).body
  expect(metrics).toHaveLength(3)
  expect(metrics[0].functionCalls).toBeGreaterThanOrEqual(5)
})

const whenLong = isLong ? test : test.skip
whenLong.each(['session-service', 'elevenlabs-mcp'])(
  '10,000 programs of %s, made and covered in bounded memory',
  async (scenario) => {
    const count = 10_000
    const before = liveHeapMiB()
    let largest = 0
    const watching = setInterval(() => (largest = Math.max(largest, liveHeapMiB() - before)), 500)
    const done = await generated({ scenario, strategy: 'coverage', count, seed: 2 })
    const { body } = await call('getGenerationCoverage', done.links.coverage)
    clearInterval(watching)
    expect([done.statistics.programs, body.atc.length, body.transitionPairs.length]).toEqual([
      count,
      count,
      count,
    ])
    expect([body.adjacentPairs.at(-1), body.pairs.length]).toEqual([
      body.pairs.length,
      body.adjacentPairs.at(-1),
    ])
    expect(largest).toBeLessThan(100)
  },
)

test('an Idempotency-Key makes one generation, however often it is sent', async () => {
  const send = (body: object, key: string) =>
    call('createGeneration', '/v1/generations', body, { 'idempotency-key': key })
  const body = { scenario: 'session-service', count: 2 }
  const [one, two] = [await send(body, 'key-1'), await send(body, 'key-1')]
  expect(two.body.id).toBe(one.body.id)
  expect(two.headers).toMatchObject({ location: one.headers.location, 'idempotency-replayed': 'true' })
  expect((await send(body, 'key-2')).body.id).not.toBe(one.body.id)
  expect(await send({ ...body, count: 3 }, 'key-1')).toMatchObject({
    status: 422,
    body: { field: 'Idempotency-Key' },
  })
})

test('a generation can be cancelled, and one that ended stays as it is', async () => {
  const { body } = await call('createGeneration', '/v1/generations', {
    scenario: 'session-service',
    count: 10_000,
    length: 12,
  })
  const cancelled = (await call('cancelGeneration', `/v1/generations/${body.id}/cancel`, {})).body
  expect(cancelled.status).toBe('cancelled')
  expect(await until(() => service.platform.outcomes.find(body.id))).toEqual({
    status: 'refused',
    reason: 'it was cancelled',
  })
  const done = await generated({ scenario: 'session-service', count: 2 })
  expect((await call('cancelGeneration', `/v1/generations/${done.id}/cancel`, {})).body.status).toBe(
    'succeeded',
  )
})

test.each([
  [{}, 400, '/scenario'],
  [{ scenario: 'atlantis' }, 422, '/scenario'],
  [{ scenario: 'session-service', length: 0 }, 400, '/length'],
  [{ scenario: 'session-service', length: 1e9 }, 400, '/length'],
  [{ scenario: 'session-service', count: 0 }, 400, '/count'],
  [{ scenario: 'session-service', strategy: 'luck' }, 400, '/strategy'],
  [{ scenario: 'session-service', apis: ['dropDatabase'] }, 422, '/apis/0'],
  [{ scenario: 'session-service', sede: 1 }, 400, '/sede'],
])('%j is refused with the field at fault', async (body, status, field) => {
  const answer = await call('createGeneration', '/v1/generations', body)
  expect(answer).toMatchObject({ status, body: { field, requestId: expect.any(String) } })
})

// The last one: some of it is none, and nobody is to wait for the generations that it begins.
test('nonsense is refused with a problem that helps, and breaks nothing', async () => {
  expect(await nonsenseFaults(service.app, operations)).toEqual([])
})
