/** Tool sessions on real servers: two replicas, over HTTP and over jobs, and what is stored. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type ExecutionResult,
  executionOperations as operations,
  type JobReply,
  type Problem,
  subjects,
  type ToolResult,
  type ToolSession,
  type ToolSessionAnswer,
  type ToolSessionJob,
} from '@stateeval/contracts'
import { type RunningService, startService } from '@stateeval/service-kit'
import { answerFault, namespace, type Servers, startServers, until } from '@stateeval/testkit'
import { execution } from '@stateeval/service-execution'
import type { ExecutionContext } from '../src/context.ts'

let servers: Servers
let replicas: RunningService<ExecutionContext>[]
beforeAll(async () => {
  servers = await startServers()
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    PORT: '0',
    LOG_LEVEL: 'silent',
    STATEEVAL_GRACE_SECONDS: '5',
  }
  replicas = []
  for (let n = 0; n < 2; n++)
    replicas.push(
      (await startService(execution, { env, sweepEveryMs: 500 })) as RunningService<ExecutionContext>,
    )
  await Promise.all(replicas.map(({ platform }) => platform.bus.ready()))
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  await servers?.stop()
})

/** Any answer of these operations, by the members that these tests read. */
interface Body
  extends
    Pick<ToolSession, 'tools' | 'seed' | 'links'>,
    Pick<ExecutionResult, 'observations'>,
    Pick<Problem, 'detail' | 'field'> {
  status: string
  results: ToolResult[]
  items: object[]
  next?: string
  result?: ExecutionResult
}
async function ask(at: number, id: keyof typeof operations, url: string, payload?: object) {
  const response = await replicas[at]!.app.inject({
    method: operations[id].method,
    url,
    ...(payload && { payload }),
  })
  expect(answerFault(operations, id, response)).toBeNull()
  return { status: response.statusCode, headers: response.headers, body: response.json<Body>() }
}
const item = { source: 'web', type: 'settings', data: { theme: 'dark' } }
const request = { world: 'session-service', input: { variables: { user: item }, world: { items: [item] } } }
const call = (name: string, args: object, id = 'c') => ({ id, name, arguments: JSON.stringify(args) })
const place = { source: 'web', type: 'settings' }

test('a dialogue over both replicas: every call once, errors as the API has them, the world at the end', async () => {
  const opened = await ask(0, 'openSession', '/v1/sessions', request)
  expect([opened.status, opened.headers['location']]).toEqual([201, opened.body.links['self']])
  expect(opened.body).toMatchObject({ status: 'open', calls: 0, variables: { user: item } })
  expect(opened.body.tools.map(({ name }) => name)).toContain('updateSession')
  const calls = opened.body.links['calls']!
  const first = await ask(0, 'callSession', calls, {
    index: 0,
    calls: [call('addSession', { ...place, data: { n: 1 } }, 'a'), call('listSessions', place, 'b')],
  })
  const { id } = JSON.parse(first.body.results[0]!.content) as { id: string }
  expect(JSON.parse(first.body.results[1]!.content)).toHaveLength(2)
  const wrong = { index: 2, calls: [call('deleteSession', { ...place, id: 'none' })] }
  const refused = await ask(1, 'callSession', calls, wrong)
  expect(refused.body.results[0]).toMatchObject({
    error: true,
    content: expect.stringContaining('"status":404'),
  })
  expect((await ask(0, 'callSession', calls, wrong)).body).toEqual(refused.body)
  const conflict = await ask(1, 'callSession', calls, { index: 2, calls: [call('listSessions', place)] })
  expect([conflict.status, conflict.body.detail]).toEqual([
    409,
    expect.stringContaining('has a different call at index 2'),
  ])
  const gap = await ask(1, 'callSession', calls, { index: 9, calls: [call('listSessions', place)] })
  expect([gap.status, gap.body.detail]).toEqual([409, expect.stringContaining('has the index 3')])
  await ask(1, 'callSession', calls, {
    index: 3,
    calls: [call('updateSession', { ...place, id, data: { n: 2 } })],
  })
  expect((await ask(0, 'getSession', opened.body.links['self']!)).body).toMatchObject({
    status: 'open',
    calls: 4,
  })
  const page = await ask(0, 'listSessionCalls', `${calls}?limit=3`)
  expect([page.body.items.length, page.body.next]).toEqual([3, '3'])
  expect((await ask(1, 'listSessionCalls', `${calls}?cursor=3`)).body.items).toMatchObject([
    { index: 3, name: 'updateSession', reply: { content: '' } },
  ])
  const closed = await ask(0, 'closeSession', opened.body.links['close']!, { result: { id } })
  expect(closed.body.observations).toMatchObject([
    {
      ending: { status: 'completed', result: { id } },
      world: { state: { items: [item, { id, data: { n: 2 } }] }, ids: { created: [id] } },
      log: [{ method: 'POST' }, { method: 'GET' }, { method: 'DELETE', status: 404 }, { method: 'PUT' }],
      seed: opened.body.seed,
    },
  ])
  expect((await ask(1, 'closeSession', opened.body.links['close']!, {})).body).toEqual(closed.body)
  expect(
    (await ask(1, 'callSession', calls, { index: 4, calls: [call('listSessions', place)] })).status,
  ).toBe(409)
  expect((await ask(1, 'getSession', opened.body.links['self']!)).body).toMatchObject({
    status: 'closed',
    calls: 4,
  })
})

test('what can’t be opened is refused with the field', async () => {
  const opened = (change: object) => ask(0, 'openSession', '/v1/sessions', { ...request, ...change })
  expect(await opened({ world: 'nowhere' })).toMatchObject({ status: 422, body: { field: '/world' } })
  expect(await opened({ world: 'none' })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('no tools yet'), field: '/world' },
  })
  expect(await opened({ input: { variables: {}, world: { items: 'x' } } })).toMatchObject({
    status: 422,
    body: { field: '/input/world', detail: expect.stringContaining('world: give') },
  })
  for (const tensor of [null, 'x', {}, { dtype: 'int8', shape: [1], data: 'AQ==' }]) {
    const input = { variables: { a: { $tensor: tensor } }, world: {} }
    expect(await opened({ world: 'tensor-operation', input })).toMatchObject({
      status: 422,
      body: { field: '/input/variables', detail: expect.stringContaining('variables.a') },
    })
  }
  expect(
    (await ask(0, 'callSession', '/v1/sessions/ses_0/calls', { index: 0, calls: [call('x', {})] })).status,
  ).toBe(404)
  expect((await ask(0, 'closeSession', '/v1/sessions/ses_0/close', {})).status).toBe(404)
  const worlds = (await ask(0, 'listWorlds', '/v1/worlds')).body.items as { id: string; tools?: object[] }[]
  expect(Object.fromEntries(worlds.map(({ id, tools }) => [id, tools?.length]))).toMatchObject({
    'session-service': 7,
    'elevenlabs-mcp': 6,
    'tensor-operation': 6,
  })
})

test('the same dialogue by jobs, each of them sent twice, on whichever replica takes it', async () => {
  const { context } = replicas[0]!
  const replies = new Map<string, JobReply>()
  const consuming = context.bus.consume(subjects.step, { concurrency: 4 }, async (delivery) => {
    const reply = (await context.artifacts.unpack(delivery.message!.payload)) as JobReply
    replies.set(reply.correlation, reply)
    delivery.ack()
  })
  let sent = 0
  async function job(value: ToolSessionJob): Promise<ToolSessionAnswer | string> {
    const answers = await Promise.all(
      [0, 1].map(async () => {
        const correlation = `job-${++sent}`
        await context.send(subjects.session, {
          id: correlation,
          value,
          replyTo: { subject: subjects.step, correlation },
        })
        const { outcome } = await until(() => replies.get(correlation))
        return outcome.status === 'done' ? await context.artifacts.unpack(outcome.value) : outcome.reason
      }),
    )
    expect(answers[1]).toEqual(answers[0])
    return answers[0] as ToolSessionAnswer | string
  }
  const session = 'ses_job1'
  const opened = await job({ kind: 'open', session, ...request })
  expect(opened).toMatchObject({
    kind: 'opened',
    variables: { user: item },
    seed: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  const called = await job({
    kind: 'call',
    session,
    index: 0,
    calls: [
      call('addSession', { ...place, data: { n: 1 } }),
      call('addSession', { ...place, data: { n: 1 } }),
    ],
  })
  expect(called).toMatchObject({ kind: 'called', results: [{ id: 'c' }, { id: 'c' }] })
  expect(await job({ kind: 'call', session, index: 5, calls: [call('listSessions', place)] })).toContain(
    'has the index 2',
  )
  const closed = await job({ kind: 'close', session, result: 7 })
  expect(closed).toMatchObject({
    kind: 'closed',
    result: { observations: [{ ending: { status: 'completed', result: 7 } }] },
  })
  expect(JSON.stringify(closed).match(/"n":1\}/g)).toHaveLength(1)
  await consuming.stop()
})

test('replies larger than a message come from the other replica’s log, too', async () => {
  const { body } = await ask(0, 'openSession', '/v1/sessions', request)
  const text = 'x'.repeat(150_000)
  const big = (index: number) => ({ index, calls: [call('addSession', { ...place, data: { text, index } })] })
  for (const index of [0, 1, 2]) await ask(0, 'callSession', body.links['calls']!, big(index))
  const listed = await ask(1, 'callSession', body.links['calls']!, {
    index: 3,
    calls: [call('listSessions', place)],
  })
  expect(JSON.parse(listed.body.results[0]!.content)).toHaveLength(4)
  expect(
    (await ask(0, 'callSession', body.links['calls']!, { index: 3, calls: [call('listSessions', place)] }))
      .body,
  ).toEqual(listed.body)
  expect((await ask(0, 'closeSession', body.links['close']!, {})).body.observations[0]!.ending.status).toBe(
    'no_result',
  )
})

test('a list of calls runs in place of code; references are resolved', async () => {
  const calls = [
    { name: 'addSession', label: 'new', arguments: JSON.stringify({ ...place, data: { n: 1 } }) },
    { name: 'updateSession', arguments: JSON.stringify({ ...place, id: '$new.id$', data: { n: 2 } }) },
  ]
  const body = { calls, binding: 'name', world: 'session-service', inputs: [request.input] }
  const ran = await ask(0, 'createExecution', '/v1/executions?wait=30', body)
  const { ending, world } = ran.body.result!.observations[0]!
  expect(ending).toMatchObject({ status: 'completed', result: [{ id: expect.stringMatching(/^70/) }, null] })
  expect(world?.state).toMatchObject({ items: [item, { data: { n: 2 } }] })
  const queued = await ask(0, 'createExecution', '/v1/executions', body)
  const { self } = queued.body.links as { self: string }
  await until(async () => (await ask(0, 'getExecution', self)).body.status === 'succeeded')
  const odd = [{ ...request.input, variables: { a: { $tensor: null } } }]
  const oddRan = await ask(0, 'createExecution', '/v1/executions?wait=30', { ...body, inputs: odd })
  expect(oddRan.body.result!.observations[0]!.ending.status).toBe('completed')
  const none = await ask(0, 'createExecution', '/v1/executions', { ...body, world: 'none' })
  expect([none.status, none.body.field]).toEqual([422, '/world'])
})
