/**
 * Who may do what, on real services: every operation of every contract is walked through, so that a new one
 * can't be forgotten. A caller who may not is refused, and neither body nor headers depend on what other
 * projects have.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  evaluationOperations,
  executionOperations,
  type ServiceName,
  translationOperations,
} from '@stateeval/contracts'
import { runInProject } from '@stateeval/service-kit'
import { startSuite, type Suite, until } from '@stateeval/testkit'
import { everyOperation, type Operation, pathOf, placesOf, queryOf } from './every-operation.ts'

const adminKey = 'the-admin-key-of-a-test-0123456789abcdef'
let suite: Suite
/** Keys by what they are. */
const keys: Record<string, string> = {}
/** What project a has, by the place of an id in paths, and what is like it but is not there. */
const real: Record<string, string> = {}
const absent: Record<string, string> = {}

interface Sent {
  key?: string | undefined
  body?: unknown
  method?: string
  headers?: Record<string, string>
}
async function send(
  service: ServiceName,
  method: string,
  path: string,
  { key, body, headers = {} }: Sent = {},
) {
  const response = await fetch(`${suite.urls[service]}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  return { status: response.status, text, headers: Object.fromEntries(response.headers) }
}
type Answer = Awaited<ReturnType<typeof send>>

/**
 * What a caller could learn from an answer: all of it but what differs each time, with the ids that were sent
 * as one word.
 */
function learnt({ status, text, headers }: Answer, ...ids: string[]): string {
  const { date: _date, 'x-request-id': requestId = '-', 'content-length': _length, ...rest } = headers
  let answerText = JSON.stringify([
    status,
    text.replaceAll(requestId, '').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
    rest,
  ])
  for (const id of ids) answerText = answerText.replaceAll(new RegExp(`(?<!\\w)${id}(?!\\w)`, 'g'), '<id>')
  return answerText
}

const walk = (operation: Operation, sent: Sent, values = real) =>
  send(operation.service, sent.method ?? operation.method, pathOf(operation, values) + queryOf(operation), {
    ...(operation.body && { body: operation.example }),
    ...sent,
  })

interface Resource {
  digest: string
  id: string
  status: string
  createdAt: string
  key: string
  items: { id: string }[]
}
const parsed = ({ text }: Answer) => JSON.parse(text) as Resource
const statusIn = (text: string) => (JSON.parse(text) as [number])[0]

/** Makes something in project a, and gives its body. */
async function create(service: ServiceName, method: string, path: string, body?: unknown) {
  const answer = await send(service, method, path, { key: keys['a'], body })
  expect([path, answer.status < 300 ? '' : answer.text]).toEqual([path, ''])
  return parsed(answer)
}
const ended = (service: ServiceName, path: string) =>
  until(
    async () => {
      const { status } = await create(service, 'GET', path)
      return /succeeded|failed|cancelled/.test(status) && status
    },
    { everyMs: 200 },
  )

beforeAll(async () => {
  suite = await startSuite({
    env: { STATEEVAL_ADMIN_KEY: adminKey, STATEEVAL_WEBHOOK_NETWORKS: 'loopback' },
  })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  for (const id of ['team-a', 'team-b', 'team-c', 'team-d', 'team-e', 'team-f'])
    expect((await send('evaluation', 'POST', '/v1/projects', { key: adminKey, body: { id } })).status).toBe(
      201,
    )
  const keyOf = async (name: string, project: string, scope: string) => {
    const body = { name, project, scopes: [scope] }
    const answer = await send('evaluation', 'POST', '/v1/keys', { key: adminKey, body })
    const { id, key } = parsed(answer)
    keys[name] = key
    return id
  }
  real['keys/id'] = await keyOf('a', 'team-a', 'admin')
  await keyOf('a-read', 'team-a', 'read')
  await keyOf('a-run', 'team-a', 'run')
  await keyOf('b', 'team-b', 'admin')
  await keyOf('c', 'team-c', 'admin')
  // In these, tests make what stays; b and c have nothing.
  for (const name of ['d', 'e', 'f']) await keyOf(name, `team-${name}`, 'admin')
  const revoked = await keyOf('revoked', 'team-a', 'admin')
  const { keys: store } = suite.services['evaluation']!.platform.access
  await store.revoke(revoked, new Date())
  keys['expired'] = (
    await store.create({
      name: 'expired',
      project: 'team-a',
      scopes: ['admin'],
      createdAt: new Date(0),
      createdBy: 'test',
      expiresAt: new Date(1),
    })
  ).text
  keys['wrong'] = keys['a']!.replace(/.{8}$/, 'AAAAAAAA')
  keys['unknown'] = `stateeval_0000000000000000_${'A'.repeat(43)}`
  keys['no key'] = 'hunter2'

  real['projects/id'] = 'team-a'
  real['backup/collection'] = 'evaluation.benchmarks'
  const model = { baseUrl: 'http://127.0.0.1:9/v1', model: 'secret-model-of-a' }
  await create('evaluation', 'PUT', '/v1/models/model-of-a', model)
  real['models/name'] = 'model-of-a'
  const { example: folder } = evaluationOperations.importBenchmark
  real['benchmarks/id'] = (await create('evaluation', 'POST', '/v1/benchmarks/import', folder)).id
  const cases = await create('evaluation', 'GET', `/v1/benchmarks/${real['benchmarks/id']}/cases`)
  real['cases/case'] = real['reviews/case'] = cases.items[0]!.id
  real['files/file'] = 'cases.jsonl'
  const platform = suite.services['evaluation']!.platform
  real['artifacts/sha256'] = await runInProject('team-a', () =>
    platform.artifacts.put(Buffer.from('a secret')),
  )
  const evaluation = { benchmark: real['benchmarks/id'], model: 'reference' }
  real['evaluations/id'] = (await create('evaluation', 'POST', '/v1/evaluations', evaluation)).id
  expect(await ended('evaluation', `/v1/evaluations/${real['evaluations/id']}`)).toBe('succeeded')
  real['samples/place'] = '0'
  const episode = { benchmark: real['benchmarks/id'] }
  real['episodes/id'] = (await create('evaluation', 'POST', '/v1/episodes', episode)).id
  const stream = evaluationOperations.createStream.example
  real['streams/id'] = (await create('evaluation', 'POST', '/v1/streams', stream)).id
  real['tasks/index'] = '0'
  const second = (real['evaluations/second'] = (
    await create('evaluation', 'POST', '/v1/evaluations', evaluation)
  ).id)
  expect(await ended('evaluation', `/v1/evaluations/${second}`)).toBe('succeeded')
  const both = { evaluations: [real['evaluations/id'], second] }
  real['comparisons/id'] = (await create('evaluation', 'POST', '/v1/comparisons', both)).id
  const world = evaluationOperations.createWorldModel.example
  real['worlds/digest'] = (await create('evaluation', 'POST', '/v1/worlds', world)).digest
  const generation = { scenario: 'session-service', count: 2, length: 3, seed: 1 }
  real['generations/id'] = (await create('trace-generation', 'POST', '/v1/generations', generation)).id
  await ended('trace-generation', `/v1/generations/${real['generations/id']}`)
  const { example: translation } = translationOperations.createTranslation
  real['translations/id'] = (await create('translation', 'POST', '/v1/translations', translation)).id
  const { example: execution } = executionOperations.createExecution
  real['executions/id'] = (await create('execution', 'POST', '/v1/executions?wait=100', execution)).id
  const { example: session } = executionOperations.openSession
  real['sessions/id'] = (await create('execution', 'POST', '/v1/sessions', session)).id
  await runInProject('team-a', () =>
    platform.bus.publishDead(
      'jobs.execution.execute',
      { id: 'job-of-a', project: 'team-a', payload: { inline: {} } },
      { error: 'of a', attempts: 5 },
    ),
  )
  const letter = await until(async () => {
    const { items } = await create('evaluation', 'GET', '/v1/dead-letters')
    return items[0]
  })
  real['dead-letters/id'] = letter.id
  const webhook = { url: 'http://127.0.0.1:9/secret-hook-of-a' }
  const hook = (real['webhooks/id'] = (await create('evaluation', 'POST', '/v1/webhooks', webhook)).id)
  real['deliveries/delivery'] = (await create('evaluation', 'POST', `/v1/webhooks/${hook}/ping`)).id
  real['scenarios/id'] = 'session-service'
  for (const [place, value] of Object.entries(real))
    absent[place] = value.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  Object.assign(absent, {
    'projects/id': 'team-x',
    'scenarios/id': real['scenarios/id'],
    'files/file': real['files/file'],
    'samples/place': real['samples/place'],
    'tasks/index': real['tasks/index'],
    'backup/collection': real['backup/collection'],
  })
})
afterAll(async () => {
  await suite?.stop()
})

const named = everyOperation.map((operation) => [`${operation.method} ${operation.path}`, operation] as const)

test.each(named)(
  '%s refuses who has no valid key, and says the same to all of them',
  async (_, operation) => {
    const expected = learnt(await walk(operation, {}, absent))
    expect(statusIn(expected)).toBe(401)
    expect(expected).toContain('urn:stateeval:problem:unauthenticated')
    expect(learnt(await walk(operation, {}))).toBe(expected)
    for (const name of ['wrong', 'unknown', 'expired', 'revoked', 'no key'])
      expect([name, learnt(await walk(operation, { key: keys[name] }))]).toEqual([name, expected])
    expect(learnt(await walk(operation, { headers: { authorization: 'Basic YTpi' } }))).toBe(expected)
    if (operation.method === 'GET') {
      const { status, text } = await walk(operation, { method: 'HEAD' })
      expect([status, text]).toEqual([401, ''])
    }
  },
)

test.each(named.filter(([, { scope }]) => scope !== 'read'))(
  '%s refuses a key of a lesser scope before it looks at anything',
  async (_, operation) => {
    const key = keys[operation.scope === 'admin' ? 'a-run' : 'a-read']
    const answer = await walk(operation, { key })
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining(`the scope ${operation.scope}`),
    ])
    expect(learnt(await walk(operation, { key }, absent))).toBe(learnt(answer))
  },
)

/** Each scenario is part of the version: all projects have the same. */
const shared: readonly string[] = ['getScenario', 'getScenarioDocumentation']

test.each(named.filter(([, { path, id }]) => path.includes(':') && !shared.includes(id)))(
  '%s tells another project no more of a resource than of one that is not there',
  async (_, operation) => {
    // What is put makes a resource of the caller's own, which the others must not find.
    const key = keys[operation.method === 'PUT' ? 'c' : 'b']
    const ids = (values: Record<string, string>) => placesOf(operation.path).map((place) => values[place]!)
    const ofReal = learnt(await walk(operation, { key }), ...ids(real))
    const ofAbsent = learnt(await walk(operation, { key }, absent), ...ids(absent))
    expect(ofReal).toBe(ofAbsent)
    if (operation.method !== 'PUT') expect(statusIn(ofReal)).toBe(404)
  },
)

test.each(named.filter(([, { method, path }]) => method === 'GET' && !path.includes(':')))(
  '%s shows and counts nothing of other projects',
  async (_, operation) => {
    // The audit log names what its own project asked for, and b asked for everything.
    const isAudit = operation.path.startsWith('/v1/audit')
    const ofB = await walk(operation, { key: keys[isAudit ? 'c' : 'b'] })
    expect(ofB.status).toBe(200)
    const names = Object.entries(real).filter(
      ([place]) => !/^(scenarios|files|samples|dead-letters|backup)\//.test(place),
    )
    // What c was refused stands in its own log, with the names that it sent.
    const sent = ['models/name', 'projects/id', 'webhooks/id']
    for (const [place, value] of names.filter(([place]) => !isAudit || !sent.includes(place)))
      expect([place, ofB.text.includes(`"${value}"`)]).toEqual([place, false])
    // A project that has seen no request has the same to show, but for its own name, key, model and audit
    // log.
    // Events have times.
    const own = /^(listKeys|listProjects|getCaller|listModels|followEvaluations)$/
    if (own.test(operation.id) || isAudit) return
    expect(learnt(ofB)).toBe(learnt(await walk(operation, { key: keys['c'] })))
  },
)

/**
 * Bodies that name resources of a, and the same with what is not there. An example that names a resource must
 * be here.
 */
const naming: Record<string, (values: Record<string, string>) => unknown> = {
  createEvaluation: (values) => ({ benchmark: values['benchmarks/id'], model: 'reference' }),
  createEpisode: (values) => ({ benchmark: values['benchmarks/id'] }),
  createComparison: (values) => ({ evaluations: [values['evaluations/id'], values['evaluations/second']] }),
}
test.each(
  named.filter(
    ([, { id, path, example }]) =>
      id in naming ||
      (!path.includes(':') && /"(bm|ev|cmp|exe|gen|trl|ses|rec)_/.test(JSON.stringify(example) ?? '')),
  ),
)('%s tells another project no more of what its body names', async (_, operation) => {
  const body = naming[operation.id]
  if (!body) throw new Error(`add ${operation.id} to the bodies that name resources`)
  const sent = (values: Record<string, string>) => walk(operation, { key: keys['b'], body: body(values) })
  const ids = (values: Record<string, string>) =>
    ['benchmarks/id', 'evaluations/id', 'evaluations/second'].map((place) => values[place]!)
  const ofReal = learnt(await sent(real), ...ids(real))
  expect(ofReal).toBe(learnt(await sent(absent), ...ids(absent)))
  expect(statusIn(ofReal)).toBeGreaterThanOrEqual(400)
})

test('a has what it made, whatever others did', async () => {
  const model = await send('evaluation', 'GET', '/v1/models/model-of-a', { key: keys['a'] })
  expect(model.text).toContain('secret-model-of-a')
  for (const place of ['benchmarks', 'evaluations', 'comparisons', 'dead-letters', 'keys'])
    expect((await create('evaluation', 'GET', `/v1/${place}`)).items.length).toBeGreaterThan(0)
})

test('the same Idempotency-Key is another one in each project, and ids don’t meet', async () => {
  const { example } = translationOperations.createTranslation
  const post = async (key: string | undefined, seed: number) => {
    const headers = { 'idempotency-key': 'the-same' }
    const answer = await send('translation', 'POST', '/v1/translations', {
      key,
      body: { ...example, seed },
      headers,
    })
    return { ...answer, id: parsed(answer).id }
  }
  const ofD = await post(keys['d'], 1)
  const [ofE, ofOtherE] = [await post(keys['e'], 1), await post(keys['e'], 1)]
  expect([ofD.status, ofE.status, ofOtherE.status]).toEqual([201, 201, 201])
  expect(ofE.headers['idempotency-replayed']).toBeUndefined()
  expect(ofOtherE.headers['idempotency-replayed']).toBe('true')
  expect(ofD.id).not.toBe(ofE.id)
  expect((await post(keys['f'], 2)).status).toBe(201)
})

test('bytes by hash are no oracle: what another project stored is not there, and importing the same set is a first import', async () => {
  const { artifacts } = suite.services['evaluation']!.platform
  const hash = real['artifacts/sha256']!
  expect(await runInProject('team-b', () => artifacts.get(hash))).toBeNull()
  expect(await runInProject('team-a', () => artifacts.get(hash))).not.toBeNull()
  const { example } = evaluationOperations.importBenchmark
  const body = example
  const first = await send('evaluation', 'POST', '/v1/benchmarks/import', { key: keys['d'], body })
  const again = await send('evaluation', 'POST', '/v1/benchmarks/import', { key: keys['a'], body })
  expect(parsed(first).createdAt).not.toBe(parsed(again).createdAt)
})

test('a model of another project is no scenario and no world, also while its project uses it', async () => {
  const [here, nowhere] = [real, absent].map((of) => `world@${of['worlds/digest']}`) as [string, string]
  const generation = { scenario: here, count: 1, length: 2 }
  const { id } = await create('trace-generation', 'POST', '/v1/generations', generation)
  await ended('trace-generation', `/v1/generations/${id}`)
  const { items } = await create('trace-generation', 'GET', `/v1/generations/${id}/programs`)
  const input = { variables: {}, world: {} }
  const world = { state: {}, ids: { initial: [], created: [] }, gone: [] }
  const ending = { status: 'completed', result: 1 }
  const observed = [{ ending, world, log: [], output: '', faults: [], wallMs: 1, sandbox: 'none' }]
  const requests = (scenario: string): [ServiceName, string, string, unknown?][] => [
    ['evaluation', 'POST', '/v1/benchmarks', { build: { scenario, programs: 1, keep: 1, length: 2 } }],
    ['evaluation', 'POST', '/v1/streams', { options: { scenario } }],
    ['trace-generation', 'GET', `/v1/scenarios/${encodeURIComponent(scenario)}/documentation`],
    ['trace-generation', 'POST', '/v1/generations', { scenario, count: 1, length: 2 }],
    ['translation', 'POST', '/v1/translations', { program: { ...items[0], scenario } }],
    [
      'translation',
      'POST',
      '/v1/translations/verify',
      { program: { ...items[0], scenario }, instruction: 'x' },
    ],
    [
      'execution',
      'POST',
      '/v1/executions?wait=60',
      { language: 'javascript', code: 'RESULT = 1', world: scenario, inputs: [input] },
    ],
    ['execution', 'POST', '/v1/sessions', { world: scenario, input }],
    ['scoring', 'POST', '/v1/scores', { scenario, expected: [{ result: 1, world }], observed }],
  ]
  const learntBy = async (key: string, scenario: string, at: number) => {
    const [service, method, path, body] = requests(scenario)[at]!
    const answer = await send(service, method, path, { key: keys[key], body })
    const hash = scenario.slice('world@sha256:'.length)
    return learnt({ ...answer, text: answer.text.replaceAll(hash, '<hash>') })
  }
  for (const [at, [, , path]] of requests(here).entries()) {
    expect([path, statusIn(await learntBy('a', here, at)) < 300]).toEqual([path, true])
    const ofReal = await learntBy('b', here, at)
    expect([path, ofReal]).toEqual([path, await learntBy('b', nowhere, at)])
    expect([path, [404, 422].includes(statusIn(ofReal))]).toEqual([path, true])
  }
})

test('a key that is revoked is refused by every service within seconds', async () => {
  const body = { name: 'short', scopes: ['read'] }
  const { id, key } = parsed(await send('evaluation', 'POST', '/v1/keys', { key: keys['b'], body }))
  const statuses = () =>
    Promise.all([
      send('evaluation', 'GET', '/v1/models', { key }),
      send('execution', 'GET', '/v1/executions', { key }),
      send('scoring', 'POST', '/v1/statistics', { key, body: {} }),
    ]).then((answers) => answers.map(({ status }) => status))
  expect(await statuses()).toEqual([200, 200, 403])
  const used = parsed(await send('evaluation', 'GET', `/v1/keys/${id}`, { key: keys['b'] }))
  expect(used).toMatchObject({ id, project: 'team-b', status: 'active', lastUsedAt: expect.any(String) })
  expect(used).not.toHaveProperty('key')
  expect((await send('evaluation', 'DELETE', `/v1/keys/${id}`, { key: keys['b'] })).status).toBe(204)
  await until(async () => (await statuses()).every((status) => status === 401))
})
