/**
 * What is deleted, and what a project keeps for some days only, on real services: nothing of it is left in
 * any collection, artifacts included, and what is kept still works.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type BenchmarkResource,
  type EvaluationResource,
  evaluationOperations,
  executionOperations,
  type Report,
} from '@stateeval/contracts'
import { listCollectionNames, expireNow, runInProject } from '@stateeval/service-kit'
import {
  describeServices,
  type ScriptedModel,
  startScriptedModel,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import { type EvaluationContext, takeAllParts } from '../services/evaluation/src/context.ts'
import { collectUnused, removeExpired } from '../services/evaluation/src/projects/tidy.ts'

const adminKey = 'the-admin-key-of-a-test-0123456789abcdef'
let suite: Suite
let model: ScriptedModel
beforeAll(async () => {
  suite = await startSuite({ env: { STATEEVAL_ADMIN_KEY: adminKey } })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  model = await startScriptedModel(({ model: name }) => (name === 'slow' ? { hang: true } : { say: 'no' }))
})
afterAll(async () => {
  await suite?.stop()
  await model?.close()
})

function context() {
  const found = suite.services['evaluation']!.context as EvaluationContext
  const { webhooks, environment } = found
  return { ...takeAllParts(found), webhooks, environment }
}
const signal = new AbortController().signal
async function call<T>(key: string, method: string, path: string, body?: unknown, service = 'evaluation') {
  const response = await fetch(`${suite.urls[service]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /[/+]json(;|$)/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, body: (isJson ? JSON.parse(text) : null) as T }
}
async function projectWithKey(id: string): Promise<string> {
  expect((await call(adminKey, 'POST', '/v1/projects', { id })).status).toBe(201)
  const request = { name: id, project: id, scopes: ['admin'] }
  return (await call<{ key: string }>(adminKey, 'POST', '/v1/keys', request)).body.key
}
const imported = async (key: string) =>
  (
    await call<BenchmarkResource>(
      key,
      'POST',
      '/v1/benchmarks/import',
      evaluationOperations.importBenchmark.example,
    )
  ).body.id
async function evaluated(key: string, request: object): Promise<string> {
  const begun = await call<EvaluationResource>(key, 'POST', '/v1/evaluations', request)
  expect([begun.status, begun.body]).toEqual([202, expect.anything()])
  const { id } = begun.body
  await until(
    async () =>
      (await call<EvaluationResource>(key, 'GET', `/v1/evaluations/${id}`)).body.status === 'succeeded',
    { everyMs: 50 },
  )
  return id
}
const days = (count: number) => new Date(Date.now() + count * 86_400_000)
/** As if it were some hours later. */
const collect = (project: string) =>
  runInProject(project, () => collectUnused(context(), () => days(1), signal))
const artifacts = (project: string) =>
  runInProject(project, async () => {
    const all = await context()
      .mongo.shared('artifacts')
      .find({}, { projection: { _id: 1 } })
      .toArray()
    return new Set(all.map(({ _id }) => _id.split(':')[0]))
  })
/** Collections of a project that have a document which names one of these ids, but for the audit log. */
const naming = (project: string, ...ids: string[]) =>
  runInProject(project, async () => {
    const collections: string[] = []
    for (const name of await listCollectionNames(context().mongo)) {
      // Answers say for whom they were given first; others may use them, too.
      if (name === 'audit' || name === 'answers') continue
      for await (const document of context().mongo.shared(name).find())
        if (ids.some((id) => JSON.stringify(document).includes(id))) collections.push(name)
    }
    return [...new Set(collections)]
  })
const reportOf = async (key: string, id: string) =>
  (await call<Report>(key, 'GET', `/v1/evaluations/${id}/report`)).body?.result

test('a deleted evaluation takes its artifacts along, but for those that another one shares; so does a benchmark', async () => {
  const key = await projectWithKey('deleting')
  const benchmark = await imported(key)
  const request = { benchmark, model: 'reference' }
  const [one, other] = [await evaluated(key, request), await evaluated(key, request)]
  const before = await artifacts('deleting')
  expect(before.size).toBeGreaterThan(0)
  // What was used a moment ago is spared, also where nothing names it; later it goes.
  const unused = await runInProject('deleting', async () => {
    const hash = await context().artifacts.put(Buffer.from('of nobody'))
    await context().tidy.collectAt(new Date(0))
    await removeExpired(context(), signal)
    return hash
  })
  expect((await artifacts('deleting')).has(unused)).toBe(true)
  expect(await collect('deleting')).toEqual({ removed: 1, spared: 0 })
  expect(await artifacts('deleting')).toEqual(before)
  const result = await reportOf(key, one)
  expect(result).toBeDefined()
  expect(await reportOf(key, other)).toEqual(result)

  expect((await call(key, 'DELETE', `/v1/evaluations/${one}`)).status).toBe(204)
  expect((await call(key, 'GET', `/v1/evaluations/${one}`)).status).toBe(404)
  expect(await naming('deleting', one)).toEqual([])
  await collect('deleting')
  expect(await reportOf(key, other)).toEqual(result)

  expect((await call(key, 'DELETE', `/v1/evaluations/${other}`)).status).toBe(204)
  expect((await call(key, 'DELETE', `/v1/benchmarks/${benchmark}`)).status).toBe(204)
  expect(await naming('deleting', one, other, benchmark)).toEqual([])
  await collect('deleting')
  expect([...(await artifacts('deleting'))]).toEqual([])
  // It is there again as if for the first time.
  const again = await imported(key)
  expect(again).toBe(benchmark)
  expect(await reportOf(key, await evaluated(key, request))).toEqual(result)
})

test('a removal that was cut short is finished; one that runs holds its benchmark', async () => {
  const key = await projectWithKey('cut-short')
  const benchmark = await imported(key)
  await call(key, 'PUT', '/v1/models/slow', { baseUrl: model.baseUrl, model: 'slow' })
  const id = await evaluated(key, { benchmark, model: 'reference' })
  const running = await call<EvaluationResource>(key, 'POST', '/v1/evaluations', { benchmark, model: 'slow' })
  expect((await call(key, 'DELETE', `/v1/evaluations/${running.body.id}`)).status).toBe(409)
  expect((await call(key, 'DELETE', `/v1/benchmarks/${benchmark}`)).status).toBe(409)
  expect((await call(key, 'GET', `/v1/benchmarks/${benchmark}/cases`)).status).toBe(200)
  await runInProject('cut-short', async () => {
    // Whoever deleted it died after saying so.
    const marks = context().mongo.shared<{ at: Date }>('tidy')
    await marks.insertOne({ _id: `remove/${id}`, at: new Date(0) })
    await removeExpired(context(), signal)
    expect(await marks.findOne({ _id: `remove/${id}` })).toBeNull()
  })
  expect(await naming('cut-short', id)).toEqual([])
  await call(key, 'POST', `/v1/evaluations/${running.body.id}/cancel`)
})

test('what is older than the project keeps it is deleted, and what still needs it is not', async () => {
  const key = await projectWithKey('aging')
  const benchmark = await imported(key)
  await call(key, 'PUT', '/v1/models/scripted', { baseUrl: model.baseUrl, model: 'm' })
  await call(key, 'PUT', '/v1/models/slow', { baseUrl: model.baseUrl, model: 'slow' })
  const both = [
    await evaluated(key, { benchmark, model: 'reference' }),
    await evaluated(key, { benchmark, model: 'scripted' }),
  ]
  const comparison = await call<{ id: string }>(key, 'POST', '/v1/comparisons', { evaluations: both })
  const run = await call<{ id: string }>(
    key,
    'POST',
    '/v1/executions?wait=100',
    executionOperations.createExecution.example,
    'execution',
  )
  const queued = await call<{ id: string }>(
    key,
    'POST',
    '/v1/executions',
    executionOperations.createExecution.example,
    'execution',
  )
  const session = await call<{ id: string }>(
    key,
    'POST',
    '/v1/sessions',
    executionOperations.openSession.example,
    'execution',
  )
  await until(async () => {
    const { body } = await call<{ status: string }>(
      key,
      'GET',
      `/v1/executions/${queued.body.id}`,
      undefined,
      'execution',
    )
    return body.status === 'succeeded'
  })
  const statuses = [comparison, run, queued, session].map(({ status }) => status)
  expect(statuses).toEqual([201, 200, 202, 201])
  const services = (await describeServices()).filter(({ name }) => suite.services[name])
  const expireAt = (at: Date) =>
    runInProject('aging', async () => {
      for (const service of services) await expireNow(service, suite.services[service.name]!, signal, at)
    })
  // Nothing goes where everything is kept, or while it is young.
  await expireAt(days(1000))
  expect((await call(key, 'PUT', '/v1/projects/aging/retention', { days: 30 })).status).toBe(200)
  await expireAt(days(29))
  for (const id of both) expect((await call(key, 'GET', `/v1/evaluations/${id}`)).status).toBe(200)

  const running = await call<EvaluationResource>(key, 'POST', '/v1/evaluations', { benchmark, model: 'slow' })
  await expireAt(days(31))
  const old = [...both, run.body.id, queued.body.id, comparison.body.id, session.body.id]
  expect(await naming('aging', ...old)).toEqual([])
  const audit = await call<{ items: unknown[] }>(key, 'GET', '/v1/audit')
  expect(audit.body.items).toEqual([])
  expect((await call(key, 'GET', `/v1/evaluations/${running.body.id}`)).status).toBe(200)
  expect((await call(key, 'GET', `/v1/benchmarks/${benchmark}/cases`)).status).toBe(200)

  await call(key, 'POST', `/v1/evaluations/${running.body.id}/cancel`)
  await expireAt(days(31))
  expect(await naming('aging', running.body.id, benchmark)).toEqual([])
  await runInProject('aging', () => collectUnused(context(), () => days(40), signal))
  expect([...(await artifacts('aging'))]).toEqual([])
  expect(await runInProject('aging', () => context().mongo.shared('answers').countDocuments())).toBe(0)
})
