/**
 * Limits and budgets of projects on real servers, with two replicas of the services that count: requests,
 * sizes, work at once, tokens and CPU time. What a budget stops goes on once it is raised, and everything was
 * counted once.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type EvaluationResource,
  evaluationOperations,
  executionOperations,
  type Problem,
  type ProjectLimits,
  type ProjectUsage,
  type Report,
} from '@stateeval/contracts'
import { runInProject, pauseUnlessAborted } from '@stateeval/service-kit'
import {
  patience,
  type ScriptedModel,
  startScriptedModel,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'

const adminKey = 'the-admin-key-of-a-test-0123456789abcdef'
let suite: Suite
let second: Suite
let model: ScriptedModel
beforeAll(async () => {
  suite = await startSuite({ env: { STATEEVAL_ADMIN_KEY: adminKey } })
  const { servers, env } = suite
  second = await startSuite({ servers, env, only: ['evaluation', 'execution'] })
  for (const { services } of [suite, second])
    await Promise.all(Object.values(services).map(({ platform }) => platform.bus.ready()))
  model = await startScriptedModel(() => ({
    say: 'no',
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  }))
})
afterAll(async () => {
  await second?.stop()
  await suite?.stop()
  await model?.close()
})

interface Sent {
  key?: string
  replica?: Suite
  service?: 'evaluation' | 'execution'
  body?: unknown
  headers?: Record<string, string>
}
async function call<T>(method: string, path: string, sent: Sent = {}) {
  const { key = adminKey, replica = suite, service = 'evaluation', body, headers } = sent
  const response = await fetch(`${replica.urls[service]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as T }
}
async function projectWith(id: string, limits: ProjectLimits): Promise<string> {
  expect((await call('POST', '/v1/projects', { body: { id } })).status).toBe(201)
  const answer = await call<{ key: string }>('POST', '/v1/keys', {
    body: { name: id, project: id, scopes: ['run'] },
  })
  await setLimits(id, limits)
  return answer.body.key
}
async function setLimits(id: string, limits: ProjectLimits) {
  const { status, body } = await call('PUT', `/v1/projects/${id}/limits`, { body: limits })
  expect([status, status === 200 || body]).toEqual([200, true])
}
const usageOf = async (id: string) => (await call<ProjectUsage>('GET', `/v1/projects/${id}/usage`)).body
const eachReplica = (count: number) => Array.from({ length: count }, (_, n) => (n % 2 === 0 ? suite : second))

/** A set of a few cases, and a model that answers each wrongly. */
async function setOf(key: string): Promise<string> {
  const imported = await call<{ id: string }>('POST', '/v1/benchmarks/import', {
    key,
    body: evaluationOperations.importBenchmark.example,
  })
  const settings = {
    baseUrl: model.baseUrl,
    model: 'm',
    concurrency: 2,
    prices: { promptPerMillion: 1000, completionPerMillion: 10_000 },
  }
  expect((await call('PUT', '/v1/models/scripted', { key, body: settings })).status).toBe(200)
  return imported.body.id
}
const stopped = async (key: string, id: string) =>
  until(
    async () => {
      const { body } = await call<EvaluationResource>('GET', `/v1/evaluations/${id}`, {
        key,
        replica: second,
      })
      return body.status === 'running' ? null : body
    },
    { everyMs: 50 },
  )
const refused = { status: 429, headers: expect.anything(), body: expect.anything() }

test('two replicas let as many requests a second through as one may send; the others are told when to come back', async () => {
  const key = await projectWith('rated', { requestsPerSecond: 4 })
  const begin = Math.floor(Date.now() / 1000)
  const answers = await Promise.all(
    eachReplica(120).map((replica) => call<Problem>('GET', '/v1/caller', { key, replica })),
  )
  const seconds = Math.floor(Date.now() / 1000) - begin + 1
  const passed = answers.filter(({ status }) => status === 200)
  expect(passed.length).toBeGreaterThanOrEqual(4)
  expect(passed.length).toBeLessThanOrEqual(4 * seconds)
  const others = answers.filter(({ status }) => status !== 200)
  expect(others.length).toBeGreaterThan(0)
  for (const { status, headers, body } of others) {
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    expect(body).toMatchObject({ type: 'urn:stateeval:problem:too-many-requests' })
  }
  const metrics = await Promise.all(
    [suite, second].map(async ({ urls }) => (await fetch(`${urls['evaluation']}/metrics`)).text()),
  )
  expect(metrics.join('\n')).toMatch(/stateeval_limit_refusals_total\{.*limit="requests".*\} [1-9]/)
  // Who has no limit is not held up by it.
  expect((await call('GET', '/v1/caller')).status).toBe(200)
  await until(async () => (await usageOf('rated')).used.requests === passed.length)
})

test('a request that is larger than the project may send is refused, also where its length is not told', async () => {
  const key = await projectWith('small', { requestKiB: 1 })
  const body = { name: 'm', note: 'x'.repeat(2000) }
  const refusal = await call<Problem>('PUT', '/v1/models/large', { key, body })
  const streamed = await fetch(`${suite.urls['evaluation']}/v1/models/large`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: new Blob([JSON.stringify(body)]).stream(),
    duplex: 'half',
  })
  expect([refusal.status, streamed.status]).toEqual([413, 413])
  expect(refusal.body.detail).toBe(
    'the body may have at most 1024 bytes in this project; send less, or in parts',
  )
  expect(((await streamed.json()) as Problem).detail).toBe(refusal.body.detail)
  const fits = { baseUrl: model.baseUrl, model: 'm' }
  expect((await call('PUT', '/v1/models/large', { key, body: fits })).status).toBe(200)
})

test('as many evaluations run at once as may, whichever replica begins them', async () => {
  const key = await projectWith('few', { evaluations: 2 })
  const benchmark = await setOf(key)
  // Nobody answers, so they run until they are cancelled.
  const hangingModel = await startScriptedModel(() => ({ hang: true }))
  const settings = { baseUrl: hangingModel.baseUrl, model: 'm' }
  expect((await call('PUT', '/v1/models/slow', { key, body: settings })).status).toBe(200)
  const body = { benchmark, model: 'slow' }
  const begin = (replica: Suite) =>
    call<EvaluationResource>('POST', '/v1/evaluations', { key, replica, body })
  const begun = await Promise.all(eachReplica(6).map(begin))
  expect(begun.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429, 429, 429])
  const { headers } = begun.find(({ status }) => status === 429)!
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await usageOf('few')).running.evaluations).toBe(2)
  const [one, other] = begun.filter(({ status }) => status === 202).map(({ body: { id } }) => id)
  await call('POST', `/v1/evaluations/${one}/cancel`, { key })
  // One that was cancelled goes on in the place that it left; then there is none.
  const resume = () => call('POST', `/v1/evaluations/${one}/resume`, { key, replica: second, body: {} })
  expect((await resume()).status).toBe(202)
  expect(await begin(second)).toMatchObject({ ...refused })
  for (const id of [one, other]) await call('POST', `/v1/evaluations/${id}/cancel`, { key })
  expect((await begin(second)).status).toBe(202)
  await hangingModel.close()
})

test('executions beyond those that may be open are refused until some have ended', async () => {
  const key = await projectWith('queued', { queuedExecutions: 3 })
  const body = executionOperations.createExecution.example
  const begin = (replica: Suite) =>
    call<{ id: string }>('POST', '/v1/executions', { key, replica, service: 'execution', body })
  const ids = new Set<string>()
  const statuses: number[] = []
  await until(async () => {
    for (const { status, body: execution } of await Promise.all(eachReplica(12).map(begin))) {
      statuses.push(status)
      if (status === 202) ids.add(execution.id)
    }
    return ids.size >= 9 && statuses.includes(429)
  })
  expect(new Set(statuses)).toEqual(new Set([202, 429]))
  for (const id of ids)
    await until(async () => {
      const path = `/v1/executions/${id}`
      return (
        (await call<{ status: string }>('GET', path, { key, service: 'execution' })).body.status ===
        'succeeded'
      )
    })
})

test('an evaluation stops when the tokens are used up, nothing new begins, and it goes on when there are more', async () => {
  const key = await projectWith('spent', { budget: { completionTokens: 55 } })
  const benchmark = await setOf(key)
  const requestsBefore = model.requests.length
  const begun = await call<EvaluationResource>('POST', '/v1/evaluations', {
    key,
    body: { benchmark, model: 'scripted', probe: false, samples: 16 },
  })
  expect([begun.status, begun.body]).toEqual([202, expect.anything()])
  const { id } = begun.body
  const end = await stopped(key, id)
  expect(end).toMatchObject({ status: 'cancelled', error: expect.stringContaining('55 completion tokens') })
  expect(end.error).toContain(`POST /v1/evaluations/${id}/resume`)
  const used = model.requests.length - requestsBefore
  // A replica knows at once what it used itself: six replies, and one that was under way with the last.
  expect(used).toBeGreaterThanOrEqual(6)
  expect(used).toBeLessThanOrEqual(2 * 7)
  const usage = await usageOf('spent')
  expect(usage).toMatchObject({
    exhausted: ['completionTokens'],
    used: { modelRequests: used, promptTokens: 100 * used, completionTokens: 10 * used },
  })
  // 100 prompt tokens at 1,000 dollars a million and 10 completion tokens at 10,000.
  expect(usage.used.usd).toBeCloseTo(0.2 * used)
  const work: [string, 'evaluation' | 'execution', unknown][] = [
    ['/v1/evaluations', 'evaluation', { benchmark, model: 'reference' }],
    [`/v1/evaluations/${id}/resume`, 'evaluation', {}],
    ['/v1/benchmarks', 'evaluation', { build: { scenario: 'session-service', programs: 2, keep: 1 } }],
    ['/v1/executions', 'execution', executionOperations.createExecution.example],
    ['/v1/sessions', 'execution', executionOperations.openSession.example],
  ]
  // The others know within a second.
  await pauseUnlessAborted(patience(1100))
  for (const [path, service, body] of work)
    for (const replica of [suite, second]) {
      const answer = await call<Problem>('POST', path, { key, service, replica, body })
      expect([path, answer.status, answer.body.type]).toEqual([
        path,
        403,
        'urn:stateeval:problem:budget-exhausted',
      ])
      expect(answer.body.detail).toContain('PUT /v1/projects/spent/limits')
    }
  const audit = await runInProject('spent', () =>
    suite.services['evaluation']!.platform.audit.page({ operation: 'resumeEvaluation' }, undefined, 10),
  )
  expect(audit.map(({ outcome, problem }) => [outcome, problem])).toEqual([
    ['refused', 'budget-exhausted'],
    ['refused', 'budget-exhausted'],
  ])
  await setLimits('spent', { budget: { completionTokens: 5000 } })
  const resumed = await call('POST', `/v1/evaluations/${id}/resume`, { key, replica: second, body: {} })
  expect(resumed.status).toBe(202)
  expect(await stopped(key, id)).toMatchObject({ status: 'succeeded', counts: { samples: 16, notScored: 0 } })
  const all = model.requests.length - requestsBefore
  expect(all).toBe(16)
  expect((await usageOf('spent')).used).toMatchObject({ modelRequests: all, completionTokens: 10 * all })
})

test('CPU time that is used up stops what runs; it goes on to the same result when there is more', async () => {
  const key = await projectWith('busy', {})
  const benchmark = await setOf(key)
  const body = executionOperations.createExecution.example
  const run = await call<{ status: string }>('POST', '/v1/executions?wait=100', {
    key,
    service: 'execution',
    body,
  })
  expect(run).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  await until(async () => (await usageOf('busy')).used.cpuSeconds > 0)
  const opened = Promise.withResolvers<void>()
  let gate = Promise.resolve()
  const answer = { say: '```javascript\nRESULT = 1\n```' }
  const gated = await startScriptedModel(() => gate.then(() => answer))
  await call('PUT', '/v1/models/gated', { key, body: { baseUrl: gated.baseUrl, model: 'g' } })
  const request = { key, body: { benchmark, model: 'gated', samples: 3, fresh: true } }
  const begin = async () => (await call<EvaluationResource>('POST', '/v1/evaluations', request)).body.id
  const resultOf = async (id: string) =>
    (await call<Report>('GET', `/v1/evaluations/${id}/report`, { key })).body.result
  const undisturbed = await begin()
  expect(await stopped(key, undisturbed)).toMatchObject({ status: 'succeeded' })
  gate = opened.promise
  const before = gated.requests.length
  const id = await begin()
  await until(() => gated.requests.length > before)
  await setLimits('busy', { budget: { cpuSeconds: 1e-6 } })
  for (const replica of [suite, second])
    await until(async () => (await call('POST', '/v1/evaluations', { ...request, replica })).status === 403)
  opened.resolve()
  expect(await stopped(key, id)).toMatchObject({
    status: 'cancelled',
    error: expect.stringContaining('CPU seconds'),
  })
  await setLimits('busy', { budget: { cpuSeconds: null } })
  const resumed = await call('POST', `/v1/evaluations/${id}/resume`, { key, body: {} })
  expect(resumed.status).toBe(202)
  expect(await stopped(key, id)).toMatchObject({ status: 'succeeded', counts: { samples: 3, scored: 3 } })
  expect(JSON.stringify(await resultOf(id))).toBe(JSON.stringify(await resultOf(undisturbed)))
  await gated.close()
})

test('answers that one project has are not another’s, which cannot tell that they were given', async () => {
  const costOf = async (key: string) => {
    const benchmark = await setOf(key)
    const before = model.requests.length
    const begun = await call<EvaluationResource>('POST', '/v1/evaluations', {
      key,
      body: { benchmark, model: 'scripted', probe: false, samples: 2 },
    })
    const end = await stopped(key, begun.body.id)
    expect(end).toMatchObject({ status: 'succeeded', counts: { samples: 2, notScored: 0 } })
    const report = await call<Report>('GET', `/v1/evaluations/${begun.body.id}/report`, { key })
    return { asked: model.requests.length - before, spent: end.spent, kept: report.body.run.kept }
  }
  const [one, other] = [await projectWith('asks-first', {}), await projectWith('asks-later', {})]
  const first = await costOf(one)
  expect(first).toMatchObject({ asked: 2, spent: { promptTokens: 200 } })
  // The same question of the same project is answered from what is kept; that of another one is asked and
  // paid for.
  expect(await costOf(one)).toMatchObject({ asked: 0, spent: { promptTokens: 0 } })
  expect(await costOf(other)).toEqual(first)
  for (const id of ['asks-first', 'asks-later'])
    expect((await usageOf(id)).used).toMatchObject({ modelRequests: 2, promptTokens: 200 })
})

test('only operators set limits; a project sees its own', async () => {
  const key = await projectWith('owned', { builds: 1 })
  const admin = await call<{ key: string }>('POST', '/v1/keys', {
    body: { name: 'admin', project: 'owned', scopes: ['admin'] },
  })
  const set = await call('PUT', '/v1/projects/owned/limits', { key: admin.body.key, body: {} })
  expect(set.status).toBe(403)
  expect((await call('GET', '/v1/projects/owned/limits', { key })).body).toEqual({
    project: 'owned',
    own: { builds: 1 },
    effective: { builds: 1 },
  })
  expect((await call('GET', '/v1/projects/default/usage', { key })).status).toBe(404)
  expect((await call('PUT', '/v1/projects/owned/limits', { body: { builds: -1 } })).status).toBe(400)
})
