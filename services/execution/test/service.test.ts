/** The service on real servers and with the real sandbox: what a caller sees. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type Execution,
  executionOperations as operations,
  type Observation,
  type PayloadParts,
  type Problem,
  type RuntimeInfo,
  subjects,
} from '@stateeval/contracts'
import { writeFloat32, toArtifact } from '@stateeval/program'
import { type RunningService, startService } from '@stateeval/service-kit'
import {
  answerFault,
  contractFaults,
  namespace,
  nonsenseFaults,
  patience,
  type Servers,
  startServers,
  until,
} from '@stateeval/testkit'
import { execution } from '@stateeval/service-execution'
import type { ExecutionContext } from '../src/context.ts'

let servers: Servers
let service: RunningService
const env = () => ({
  ...servers.env,
  STATEEVAL_NAMESPACE: namespace(),
  PORT: '0',
  LOG_LEVEL: 'silent',
  STATEEVAL_GRACE_SECONDS: '5',
})
beforeAll(async () => {
  servers = await startServers()
  service = await startService(execution, { env: env(), sweepEveryMs: 1000 })
  await service.platform.bus.ready()
})
afterAll(async () => {
  await service?.stop()
  await servers?.stop()
})

const item = { source: 'web', type: 'settings', data: { theme: 'dark' } }
const example = operations.createExecution.example
const program = (code: string, more: object = {}) => ({
  language: 'javascript',
  code,
  world: 'session-service',
  inputs: [{ variables: { user_variable_0: item }, world: { items: [item] } }],
  ...more,
})

interface Links {
  self: string
  cancel: string
  results: string
}
type World = NonNullable<Observation['world']> & { state: { items: { data: unknown }[] } }
type Seen = Omit<Observation, 'world'> & { world: World }
interface Result {
  runtime: string
  observations: [Seen, ...Seen[]]
}
/** Any answer of the service, by the members that these tests read. */
interface Body
  extends
    Pick<Execution, 'id' | 'progress'>,
    Pick<
      RuntimeInfo,
      'sandbox' | 'languages' | 'unavailable' | 'layers' | 'versions' | 'fingerprint' | 'tensorProviders'
    >,
    Pick<Problem, 'field' | 'detail'> {
  status: string
  links: Links
  result: Result
  results: Result[]
  items: { id: string }[]
  next?: string
}
/** Calls an operation; the answer is held against its contract. */
async function call(
  id: keyof typeof operations,
  url: string,
  payload?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await service.app.inject({
    method: operations[id].method,
    url,
    headers,
    ...(payload !== undefined && { payload: payload as object }),
  })
  expect(answerFault(operations, id, response)).toBeNull()
  return { status: response.statusCode, headers: response.headers, body: response.json<Body>() }
}
const run = async (code: string, more: object = {}): Promise<Result['observations']> =>
  (await call('createExecution', '/v1/executions?wait=30', program(code, more))).body.result.observations

test('every operation has its route file, a fitting example and its errors', () => {
  expect(contractFaults(operations, join(import.meta.dirname, '../src/routes'))).toEqual([])
})

test('nonsense is refused with a problem that helps, and breaks nothing', async () => {
  expect(await nonsenseFaults(service.app, operations)).toEqual([])
})

test('the example of the contract runs and is answered in place', async () => {
  const { status, headers, body } = await call('createExecution', '/v1/executions?wait=30', example)
  expect(status).toBe(200)
  for (const layer of ['world', 'cell', 'program', 'runner-run', 'observe', 'close'])
    expect(headers['server-timing']).toMatch(new RegExp(`(^|, )${layer};dur=[0-9.]+`))
  expect(body).toMatchObject({ status: 'succeeded', progress: { done: 1, total: 1 } })
  const [observation] = body.result.observations
  expect(observation.ending).toMatchObject({
    status: 'completed',
    result: { response_0: [{ source: 'web', type: 'settings', data: { theme: 'dark' } }] },
  })
  expect(observation.world.state.items).toHaveLength(1)
  expect(observation.log).toMatchObject([{ method: 'GET', path: '/api/sessions/web/settings', status: 200 }])
  expect((await call('getExecution', body.links.self)).body).toEqual(body)
})

test('tensors that are kept as artifacts are read before the run; one that is missing is named', async () => {
  const { value, file, sha256 } = toArtifact({ dtype: 'float32', shape: [2], bytes: writeFloat32([1.5, -2]) })
  const over = (variable: unknown) => ({
    inputs: [{ variables: { user_tensor_0: variable }, world: { items: [] } }],
  })
  const missing = await call('createExecution', '/v1/executions?wait=30', program('RESULT = 1', over(value)))
  expect([missing.status, missing.body.field]).toEqual([422, '/inputs'])
  expect(missing.body.detail).toContain(`the artifact ${sha256} is missing`)
  await service.platform.artifacts.put(file)
  const [observation] = await run('RESULT = user_tensor_0', over(value))
  const data = Buffer.from(writeFloat32([1.5, -2])).toString('base64')
  expect(observation.ending).toEqual({
    status: 'completed',
    result: { $tensor: { dtype: 'float32', shape: [2], data } },
  })
})

test('a provider may be asked for, and stands in the observation; one that is missing is refused with the reason', async () => {
  const code = 'RESULT = torch.ones(2).neg().tolist()'
  const on = (provider: string) =>
    program(code, { world: 'tensor-operation', inputs: [{ variables: {}, world: {} }], provider })
  const { body: runtime } = await call('getRuntime', '/v1/runtime')
  expect(runtime.tensorProviders.map(({ provider }: { provider: string }) => provider)).toEqual([
    'cuda',
    'webgpu',
    'cpu',
  ])
  const { status, body } = await call('createExecution', '/v1/executions?wait=30', on('cpu'))
  expect([status, body.result?.observations[0]]).toEqual([
    200,
    expect.objectContaining({
      ending: { status: 'completed', result: [-1, -1] },
      tensors: { provider: 'cpu', operations: { cpu: 1 } },
    }),
  ])
  for (const { provider, available, reason } of runtime.tensorProviders)
    if (!available) {
      const refused = await call('createExecution', '/v1/executions?wait=30', on(provider))
      expect([refused.status, refused.body.field]).toEqual([422, '/provider'])
      expect(refused.body.detail).toContain(reason)
    }
  const metrics = await service.app.inject({ url: '/metrics' })
  expect(metrics.payload).toMatch(/stateeval_graphs_total\{[^}]*provider="cpu"[^}]*\} [1-9]/)
})

test.each(['0.3333', '0.0001', '1e-300', '2.0000001'])('a caller may wait %s seconds', async (wait) => {
  const { status } = await call('createExecution', `/v1/executions?wait=${wait}`, example)
  expect([200, 202]).toContain(status)
})

test('a program that outlasts the wait is queued, and done later', async () => {
  const slow = program('await new Promise((go) => setTimeout(go, 3000)); RESULT = 1')
  const { status, body } = await call('createExecution', '/v1/executions?wait=0.3', slow)
  expect([status, body.status]).toEqual([202, expect.stringMatching(/queued|running/)])
  const done = await until(async () => {
    const { body: now } = await call('getExecution', body.links.self)
    return now.status === 'succeeded' ? now : null
  })
  expect(done.result.observations[0].ending).toEqual({ status: 'completed', result: 1 })
})

test('without waiting it is accepted, and done a little later; the same key is the same execution', async () => {
  const key = { 'idempotency-key': 'once' }
  const { status, headers, body } = await call('createExecution', '/v1/executions', example, key)
  expect([status, headers['location']]).toEqual([202, body.links.self])
  const done = await until(async () => {
    const { body: now } = await call('getExecution', body.links.self)
    return now.status === 'succeeded' ? now : null
  })
  expect(done.result.observations).toHaveLength(1)
  expect((await call('createExecution', '/v1/executions', example, key)).body.id).toBe(body.id)
})

test('a batch has a result for each program, in order, however they end', async () => {
  const batch = ['RESULT = 1', 'throw new Error("no")', 'const', ''].map((code) => program(code))
  const { body } = await call('createExecution', '/v1/executions?wait=30', { batch })
  expect(body.results.map(({ observations }) => observations[0].ending.status)).toEqual([
    'completed',
    'threw',
    'refused',
    'refused',
  ])
  const { body: listed } = await call('listExecutions', '/v1/executions?limit=500')
  expect(listed.items.map(({ id }) => id)).toContain(body.id)
})

test('small results of what ran in place stand in the execution, and in no list of executions', async () => {
  const batch = ['RESULT = 1', 'RESULT = 2'].map((code) => program(code))
  const { status, body } = await call('createExecution', '/v1/executions?wait=30', { batch })
  const { mongo, outcomes, store } = service.context as ExecutionContext
  expect([status, await outcomes.find(`${body.id}:0`)]).toEqual([200, null])
  const document = await mongo
    .collection<{ _id: string; results: string }>('executions')
    .findOne({ _id: body.id })
  expect(JSON.parse(document!.results)).toMatchObject([1, 2].map(() => ({ inline: { observations: [{}] } })))
  expect((await call('getExecution', body.links.self)).body).toEqual(body)
  const { body: page } = await call('listExecutionResults', `${body.links.results}?limit=1`)
  expect(page.items).toMatchObject([{ program: 0, observation: body.results[0]!.observations[0] }])
  const { body: last } = await call('listExecutionResults', `${body.links.results}?cursor=${page.next}`)
  expect(last.items).toMatchObject([{ program: 1, observation: body.results[1]!.observations[0] }])
  const listed = (await store.list('', 500)).find(({ _id }) => _id === body.id)
  expect(listed).toMatchObject({ ended: 'succeeded', total: 2 })
  expect(listed).not.toHaveProperty('results')
})

test('what ran in place is stored when it is answered, as what ran in the queue is', async () => {
  const batch = ['RESULT = 1', `RESULT = 'x'.repeat(20000)`].map((code) => program(code))
  const { status, body } = await call('createExecution', '/v1/executions?wait=30', { batch })
  expect([status, body.progress]).toMatchObject([200, { done: 2, total: 2 }])
  const { mongo, outcomes } = service.platform
  expect(await mongo.collection('executions').findOne({ _id: body.id })).toMatchObject({
    ended: 'succeeded',
    total: 2,
  })
  expect(await outcomes.find(`${body.id}:0`)).toMatchObject({
    status: 'done',
    value: { inline: { observations: [{}] } },
  })
  const large = { list: [{ artifact: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: expect.any(Number) }] }
  expect(await outcomes.find(`${body.id}:1`)).toMatchObject({
    status: 'done',
    value: { object: { observations: large } },
  })
  expect((await call('getExecution', body.links.self)).body).toEqual(body)
  const { body: page } = await call('listExecutionResults', body.links.results)
  expect(page.items).toMatchObject(
    [0, 1].map((program) => ({ program, input: 0, runtime: body.results[program]!.runtime })),
  )
})

test.each([
  ['in place', '?wait=30', {}],
  ['by the queue', '?wait=30', { 'idempotency-key': 'unstorable' }],
])(
  'an observation that can’t be stored fails alone, with the reason, and holds up nothing: %s',
  async (_, query, headers) => {
    const { artifacts } = service.platform
    const put = artifacts.put.bind(artifacts)
    artifacts.put = async (bytes) => {
      if (Buffer.from(bytes).includes('unstorable')) throw new Error('the server refuses this document')
      return put(bytes)
    }
    try {
      const batch = ['x', 'storable', 'y'].map((text) => program(`RESULT = ('un' + '${text}').repeat(30000)`))
      const { status, body } = await call('createExecution', `/v1/executions${query}`, { batch }, headers)
      expect([status, body.status]).toEqual([200, 'succeeded'])
      const endings = body.results.map(({ observations }) => observations[0].ending)
      expect(endings.map((ending) => ending.status)).toEqual(['completed', 'killed', 'completed'])
      expect(endings[1]).toMatchObject({
        by: 'result',
        detail: 'the observation could not be stored: the server refuses this document',
      })
      expect((await call('getExecution', body.links.self)).body).toEqual(body)
      expect((await run('RESULT = 1'))[0].ending).toEqual({ status: 'completed', result: 1 })
    } finally {
      artifacts.put = put
    }
  },
)

test('a program of an evaluation leaves no more than a message of all attempts at a case holds', async () => {
  const { artifacts, outcomes, send } = service.platform
  const inputs = Array.from({ length: 35 }, (_, n) => ({ variables: { n }, world: {} }))
  await send(subjects.execute, {
    id: 'large-attempt',
    value: program("RESULT = 'x'.repeat(1e6)", { world: 'none', inputs }),
  })
  const outcome = await until(() => outcomes.find('large-attempt'))
  const { observations } = (await artifacts.unpack((outcome as { value: PayloadParts }).value)) as Result
  const endings = observations.map(({ ending }) => (ending.status === 'killed' ? ending.by : ending.status))
  expect(endings).toEqual([...Array.from({ length: 33 }, () => 'completed'), 'result', 'result'])
})

test('an observation that is damaged in the store is told as such, between those that are whole', async () => {
  const { artifacts, mongo } = service.platform
  const batch = ['x', 'y', 'z'].map((text) => program(`RESULT = '${text}'.repeat(300000)`))
  const { body } = await call('createExecution', '/v1/executions?wait=30', { batch })
  const outcome = await service.platform.outcomes.find(`${body.id}:1`)
  const hash = /"artifact":"([0-9a-f]{64})"/.exec(JSON.stringify(outcome))![1]!
  await mongo.db.collection<{ _id: string }>('artifacts').deleteOne({ _id: `${hash}:0` })
  expect(await artifacts.get(hash)).toBeNull()
  const { body: now } = await call('getExecution', body.links.self)
  expect([now.results[0], now.results[2]]).toEqual([body.results[0], body.results[2]])
  expect(now.results[1]!.observations[0].ending).toMatchObject({
    status: 'infrastructure',
    reason: expect.stringContaining(hash),
  })
})

test('a batch that outlasts the wait goes on in the queue; what was done by then counts', async () => {
  const seconds = Math.min(patience(5), 30)
  const codes = ['RESULT = 1', `await new Promise((go) => setTimeout(go, ${1600 * seconds})); RESULT = 2`]
  const { status, body } = await call('createExecution', `/v1/executions?wait=${seconds}`, {
    batch: codes.map((code) => program(code, { limits: { wallMs: 60_000 } })),
  })
  expect(status).toBe(202)
  expect(await service.platform.outcomes.find(`${body.id}:0`)).toMatchObject({ status: 'done' })
  const done = await until(async () => {
    const { body: now } = await call('getExecution', body.links.self)
    return now.status === 'succeeded' ? now : null
  })
  expect(done.results.map(({ observations }) => observations[0].ending)).toEqual(
    [1, 2].map((result) => ({ status: 'completed', result })),
  )
})

test('what a caller who leaves has asked for is stopped, and nothing of it is queued', async () => {
  const listed = async () => (await call('listExecutions', '/v1/executions?limit=500')).body.items.length
  const before = await listed()
  const batch = Array.from({ length: 40 }, () =>
    program('await new Promise((go) => setTimeout(go, 500)); RESULT = 1'),
  )
  const leaving = new AbortController()
  const request = fetch(`${service.url}/v1/executions?wait=30`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ batch }),
    signal: leaving.signal,
  })
  const asking = expect(request).rejects.toThrow(/abort/)
  const runs = async () =>
    Number(
      /^stateeval_runs_total\{ending="completed",sandbox="warm-jail"[^}]*javascript[^}]*\} (\d+)/m.exec(
        await service.platform.metrics.registry.metrics(),
      )?.[1] ?? 0,
    )
  const atFirst = await runs()
  await until(async () => (await runs()) > atFirst)
  leaving.abort()
  await asking
  // Places are free again: these need no turn behind the rest of the batch.
  for (const n of [1, 2, 3])
    expect((await run(`RESULT = ${n}`))[0].ending).toEqual({ status: 'completed', result: n })
  expect(await service.platform.bus.waiting(subjects.executeAsked)).toBe(0)
  expect(await listed()).toBe(before + 3)
})

test('a program changes its own world only', async () => {
  const code = `const axios = require('axios')
    const added = (await axios.post(\`\${BASE_URL}/api/sessions/\${user_variable_0.source}/\${user_variable_0.type}\`, { n })).data
    RESULT = { added }`
  const inputs = [1, 2].map((n) => ({ variables: { user_variable_0: item, n }, world: { items: [item] } }))
  const observations = await run(code, { inputs })
  for (const [index, { ending, world }] of observations.entries()) {
    expect(ending.status).toBe('completed')
    expect(world.state.items.map(({ data }) => data)).toEqual([{ theme: 'dark' }, { n: index + 1 }])
    expect(world.ids.initial).toEqual(observations[0].world.ids.initial)
  }
})

test('a result that MongoDB would choke on comes back whole', async () => {
  const result = { $set: { 'a.b': 1 }, '': null, 'nul\u0000': [-0.5, 'é\ud83d\ude00'] }
  const [{ ending }] = await run(`RESULT = ${JSON.stringify(result)}`)
  expect(ending).toEqual({ status: 'completed', result })
})

test('requests of axios are captured, never sent', async () => {
  const code =
    "const axios = require('axios')\nconst { status } = await axios.post('https://api.example.com/v1/tasks', { name: 'x' }, { params: { opt: 1 } })\nRESULT = status"
  const inputs = [{ variables: {}, world: {} }]
  const [{ ending, world }] = await run(code, { world: 'axios-capture', inputs })
  expect(ending).toEqual({ status: 'completed', result: 200 })
  expect(world.state).toEqual({
    requests: [
      {
        method: 'post',
        url: 'https://api.example.com/v1/tasks',
        uri: 'https://api.example.com/v1/tasks?opt=1',
        headers: { Accept: 'application/json, text/plain, */*', 'Content-Type': 'application/json' },
        params: { opt: 1 },
        data: '{"name":"x"}',
        dataType: 'string',
      },
    ],
  })
})

test('a world that can’t be opened is our failure, with the reason', async () => {
  const [{ ending, faults }] = await run('RESULT = 1', {
    inputs: [{ variables: {}, world: { items: [{ source: 'web' }] } }],
  })
  expect(ending).toMatchObject({
    status: 'infrastructure',
    reason: expect.stringContaining('world.items[0]'),
  })
  expect(faults).toHaveLength(1)
})

test('a cancelled execution stays cancelled', async () => {
  const batch = Array.from({ length: 30 }, () =>
    program('await new Promise((go) => setTimeout(go, 300)); RESULT = 1'),
  )
  const { body } = await call('createExecution', '/v1/executions', { batch })
  expect((await call('cancelExecution', body.links.cancel)).body.status).toBe('cancelled')
  expect((await call('getExecution', body.links.self)).body.status).toBe('cancelled')
})

test('a cancelled execution stops the program that runs', async () => {
  const endless = program('for (;;) await new Promise((go) => setTimeout(go, 50))', {
    limits: { wallMs: 60_000 },
  })
  const { body } = await call('createExecution', '/v1/executions', endless)
  const job = `${body.id}:0`
  await until(
    async () => (await service.platform.mongo.collection('attempts').findOne({ _id: `${job}#1` })) !== null,
  )
  await call('cancelExecution', body.links.cancel)
  const outcome = await until(() => service.platform.outcomes.find(job))
  expect(outcome).toEqual({ status: 'refused', reason: 'it was cancelled' })
})

test('an execution whose programs are lost ends with the reason, and holds up none that comes after it', async () => {
  const { store, artifacts } = service.context as ExecutionContext
  const begun = { total: 1, createdAt: new Date(), batch: false }
  await store.create({ ...begun, _id: 'exe_lost', requests: 'f'.repeat(64) })
  await store.create({
    ...begun,
    _id: 'exe_next',
    requests: await artifacts.putJson([program('RESULT = 1')]),
  })
  const status = async (id: string) => (await call('getExecution', `/v1/executions/${id}`)).body
  expect(
    await until(async () => ((one) => one.status === 'succeeded' && one)(await status('exe_next'))),
  ).toBeTruthy()
  expect(await status('exe_lost')).toMatchObject({
    status: 'failed',
    error: `there is no artifact ${'f'.repeat(64)} in the store; import or create the resource that names it again`,
  })
})

test('the runtime and its worlds are told', async () => {
  const { body } = await call('getRuntime', '/v1/runtime')
  expect(body).toMatchObject({ sandbox: 'warm-jail', executionProviders: expect.arrayContaining(['cpu']) })
  expect(body.tensorProviders.at(-1)).toMatchObject({ provider: 'cpu', available: true })
  // Python is there where the machine has it; where it isn’t, the answer says what to do. So for gVisor, and
  // a language in a world.
  const lacking = Object.keys(body.unavailable).filter((name) => !name.includes(' in ') && name !== 'gvisor')
  expect([...body.languages, ...lacking].sort()).toEqual(['javascript', 'python'])
  expect(body.layers).toContainEqual({ layer: 'seccomp', inForce: true, detail: expect.any(String) })
  expect(body.fingerprint).toContain(body.versions.node)
  expect((await call('listWorlds', '/v1/worlds')).body.items).toContainEqual(
    expect.objectContaining({ id: 'session-service' }),
  )
})

test('metrics tell where the time of runs goes, and what needed a jail of its own', async () => {
  await call(
    'createExecution',
    '/v1/executions?wait=60',
    program("require('net').createServer().listen(0).close(); RESULT = 1"),
  )
  const lines = (await service.platform.metrics.registry.metrics()).split('\n')
  const value = (name: string, labels: Record<string, string>) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
    const line = lines.find(
      (one) => one.startsWith(`${name}{`) && pairs.every((label) => one.includes(label)),
    )
    return Number(line?.split(' ').at(-1))
  }
  const language = 'javascript'
  expect(value('stateeval_run_phase_duration_seconds_count', { phase: 'program', language })).toBeGreaterThan(
    0,
  )
  expect(value('stateeval_runner_part_duration_seconds_count', { part: 'run', language })).toBeGreaterThan(0)
  expect(value('stateeval_run_cpu_seconds_total', { sandbox: 'warm-jail', language })).toBeGreaterThan(0)
  expect(
    value('stateeval_runs_total', { ending: 'completed', sandbox: 'process-jail', language }),
  ).toBeGreaterThan(0)
  expect(value('stateeval_runs_moved_total', { service: 'execution' })).toBeGreaterThan(0)
})

describe('bad requests are told apart, and name the field', () => {
  test.each([
    ['an unknown world', program('1', { world: 'atlantis' }), 422, '/world'],
    ['a weaker sandbox', program('1', { sandbox: 'unsafe-process' }), 400, '/sandbox'],
    [
      'a world of another language',
      program('1', { world: 'axios-capture', language: 'python' }),
      422,
      '/language',
    ],
    ['an unknown language', program('1', { language: 'cobol' }), 400, '/language'],
    ['no inputs', program('1', { inputs: [] }), 400, '/inputs'],
    [
      'a variable that can’t be one',
      program('1', { inputs: [{ variables: { 'a b': 1 }, world: {} }] }),
      422,
      '/inputs/0/variables',
    ],
    ['a limit out of range', program('1', { limits: { wallMs: 1 } }), 400, '/limits/wallMs'],
    ['long code', program('x'.repeat(1_000_001)), 400, '/code'],
    ['an unknown member', program('1', { codes: 1 }), 400, '/codes'],
    ['in a batch', { batch: [program('1', { world: 'atlantis' })] }, 422, '/batch/0/world'],
  ])('%s', async (_, payload, status, field) => {
    const { status: got, body } = await call('createExecution', '/v1/executions', payload)
    expect([got, body.field]).toEqual([status, field])
  })
  test('a body that is far too large', async () => {
    expect((await call('createExecution', '/v1/executions', program('x'.repeat(20 * 2 ** 20)))).status).toBe(
      413,
    )
  })
  test('no such execution', async () => {
    expect((await call('getExecution', '/v1/executions/exe_none')).status).toBe(404)
  })
})

test('a full queue answers 503 with Retry-After, and takes programs again when there is room', async () => {
  const small = await startService(execution, {
    env: { ...env(), STATEEVAL_QUEUE: '1', STATEEVAL_CONCURRENCY: '1' },
    sweepEveryMs: 1000,
  })
  try {
    await small.platform.bus.ready()
    const send = (payload: object) => small.app.inject({ method: 'POST', url: '/v1/executions', payload })
    const slow = program('await new Promise((go) => setTimeout(go, 50_000)); RESULT = 1', {
      limits: { wallMs: 60_000 },
    })
    const sent: Awaited<ReturnType<typeof send>>[] = []
    // A process takes eight for each place; until it has one, that is the one that waits.
    for (let n = 0; n < 9; n++) {
      await until(async () => (await small.platform.bus.waiting('jobs.execution.asked')) === 0, {
        everyMs: 10,
      })
      sent.push(await send(slow))
    }
    const refused = await send(slow)
    expect(sent.every(({ statusCode }) => statusCode === 202)).toBe(true)
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect(refused.json<Problem>().detail).toContain('1 programs are waiting, and at most 1 may wait')
    const tooMany = await send({ batch: [slow, slow] })
    expect([tooMany.statusCode, tooMany.json<Problem>().detail]).toEqual([
      503,
      expect.stringContaining('send smaller batches'),
    ])
    for (const accepted of sent)
      await small.app.inject({ method: 'POST', url: accepted.json<Execution>().links['cancel']! })
    const again = async () => (await send(program('RESULT = 1'))).statusCode === 202
    expect(await until(again, { everyMs: 200 })).toBe(true)
  } finally {
    await small.stop()
  }
})
