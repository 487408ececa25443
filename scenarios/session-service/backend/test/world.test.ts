import { Agent, request } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { JsonValue, JsonObject, ExecutionLimits } from '@stateeval/contracts'
import { isServing } from '@stateeval/sandbox'
import { worldLaws } from '@stateeval/sandbox-suites/world-laws'
import { findServerProcess, readCpuTicks, readTicksWhenIdle } from '@stateeval/testkit'
import { createSessionWorld, type OpenSessionWorld, type SessionWorldOptions } from '../world.ts'
import { startDatabase, type TestDatabase } from './service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())

const limits: ExecutionLimits = {
  wallMs: 10_000,
  cpuSeconds: 10,
  memoryMiB: 256,
  outputKiB: 64,
  resultKiB: 256,
  processes: 64,
  requests: 1000,
}
const item = (title: string, source = 'clinic', type = 'settings') => ({ source, type, data: { title } })
const initial = { items: [item('first'), item('second'), item('third', 'portal', 'group')] }
let worlds = 0
let seeds = 0
const newSeed = () => String(++seeds)
const newWorld = (options: Partial<SessionWorldOptions> = {}) =>
  createSessionWorld({ mongodb: database.client, prefix: `world${++worlds}`, poolSize: 4, ...options })

/** A connection of the run, as the sandbox's gateway makes it. */
function connect(world: OpenSessionWorld): Duplex {
  if (world.channel.kind !== 'http') throw new Error('no channel')
  const [ours, theirs] = duplexPair()
  theirs.once('close', () => ours.destroy())
  world.channel.accept(theirs)
  return ours
}
function call(
  world: OpenSessionWorld,
  method: string,
  path: string,
  body?: JsonValue,
): Promise<{ status: number; body: JsonValue }> {
  return new Promise((resolve, reject) => {
    const agent = new Agent()
    agent.createConnection = () => connect(world)
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ host: 'x', method, path: `/api/sessions/${path}`, agent, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: text ? (JSON.parse(text) as JsonValue) : null }),
      )
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
const idOf = (answer: { body: JsonValue }) => (answer.body as { id: string }).id

worldLaws('session-service', () => Promise.resolve(newWorld()), {
  initial: [initial, {}],
  wrong: { items: 'none' },
  change: { method: 'POST', path: '/api/sessions/clinic/group', body: { title: 'new' } },
})

test('a run starts with the initial items and shows what it did', async () => {
  const world = newWorld()
  const run = await world.open(initial, limits, newSeed())
  const [first = '', second = '', third = ''] = (await run.observe()).world.ids.initial
  expect(await call(run, 'GET', 'clinic/settings')).toMatchObject({
    status: 200,
    body: [{ id: first }, { id: second }],
  })
  const added = idOf(await call(run, 'POST', 'clinic/group', { a: 1.5, b: [true, null] }))
  const passing = idOf(await call(run, 'POST', 'clinic/group', { soon: 'gone' }))
  expect(await call(run, 'POST', 'clinic/group', { a: 1.5, b: [true, null] })).toEqual({
    status: 200,
    body: { id: added },
  })
  expect((await call(run, 'PUT', `clinic/settings/${first}`, { title: 'changed' })).status).toBe(200)
  expect((await call(run, 'DELETE', `clinic/settings/${second}`)).status).toBe(200)
  expect((await call(run, 'DELETE', `clinic/group/${passing}`)).status).toBe(200)
  const { world: state, log, faults, requests } = await run.observe()
  expect(state).toEqual({
    state: {
      items: [
        { id: first, ...item('changed') },
        { id: third, ...item('third', 'portal', 'group') },
        { id: added, source: 'clinic', type: 'group', data: { a: 1.5, b: [true, null] } },
      ],
    },
    ids: { initial: [first, second, third], created: [added, passing] },
    gone: [
      { id: second, last: item('second') },
      { id: passing, last: { source: 'clinic', type: 'group', data: { soon: 'gone' } } },
    ],
  })
  expect(faults).toEqual([])
  expect(requests).toBe(7)
  expect(log[1]).toEqual({
    method: 'POST',
    path: '/api/sessions/clinic/group',
    status: 200,
    requestBody: '{"a":1.5,"b":[true,null]}',
    responseBody: `{"id":"${added}"}`,
  })
  await run.close()
  await world.close()
})

test('initial ids are the same in every run of the same items, created ids never', async () => {
  const world = newWorld({ poolSize: 1 })
  const idSets = { initial: new Set<string>(), created: new Set<string>() }
  for (let i = 0; i < 3; i++) {
    const run = await world.open(initial, limits, newSeed())
    const created = idOf(await call(run, 'POST', 'clinic/settings', { i }))
    const { ids } = (await run.observe()).world
    expect(ids.initial.every((id) => /^[0-9a-f]{24}$/.test(id) && id < created)).toBe(true)
    expect([...ids.initial].sort()).toEqual(ids.initial)
    idSets.initial.add(ids.initial.join())
    idSets.created.add(created)
    await run.close()
  }
  const other = await world.open({ items: [item('else')] }, limits, newSeed())
  expect(idSets.initial.has((await other.observe()).world.ids.initial.join())).toBe(false)
  await other.close()
  expect([idSets.initial.size, idSets.created.size]).toEqual([1, 3])
  await world.close()
})

test('16 worlds open at once do not disturb each other', async () => {
  const world = newWorld({ poolSize: 16 })
  const runs = await Promise.all(
    Array.from({ length: 16 }, (_, i) => world.open({ items: [item(`start ${i}`)] }, limits, newSeed())),
  )
  await Promise.all(
    runs.map(async (run, i) => {
      const id = idOf(await call(run, 'POST', 'shared/settings', { i }))
      await Promise.all([0, 1, 2, 3].map((n) => call(run, 'POST', 'shared/settings', { i, n })))
      await call(run, 'PUT', `shared/settings/${id}`, { i, changed: true })
      expect(await call(run, 'GET', 'shared/settings')).toMatchObject({ body: { length: 5 } })
    }),
  )
  for (const [i, run] of runs.entries()) {
    const { world: state, faults } = await run.observe()
    const { items } = state.state as { items: { data: { i?: number } }[] }
    expect(items).toHaveLength(6)
    expect(items.slice(1).every(({ data }) => data.i === i)).toBe(true)
    expect(faults).toEqual([])
    await run.close()
  }
  await world.close()
})

test('more runs than databases wait in line, and each finds a fresh world', async () => {
  const world = newWorld({ poolSize: 2 })
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const run = await world.open({ items: [item('start')] }, limits, newSeed())
      await call(run, 'POST', 'clinic/settings', { i })
      const { items } = (await run.observe()).world.state as { items: { data: JsonValue }[] }
      expect(items.map(({ data }) => data)).toEqual([{ title: 'start' }, { i }])
      await run.close()
    }),
  )
  await world.close()
})

test('whatever a run leaves, the next one of the same or other items finds its own only', async () => {
  const world = newWorld({ poolSize: 1 })
  const others = { items: [item('fourth'), item('first')] }
  const leave: ((run: OpenSessionWorld, ids: string[]) => Promise<unknown>)[] = [
    (run) => call(run, 'GET', 'clinic/settings'),
    (run) => call(run, 'POST', 'clinic/settings', { title: 'new' }),
    (run, [first]) => call(run, 'DELETE', `clinic/settings/${first}`),
    (run, [first]) => call(run, 'PUT', `clinic/settings/${first?.toUpperCase()}`, { title: 'fourth' }),
    async (run, [first, second]) => {
      await call(run, 'PUT', `clinic/settings/${first}`, { title: 'other' })
      await call(run, 'POST', 'clinic/settings', { title: 'first' })
      await call(run, 'DELETE', `clinic/settings/${second}`)
    },
    (run) => Promise.all(Array.from({ length: 110 }, (_, n) => call(run, 'POST', 'clinic/group', { n }))),
  ]
  const pairs: [{ items: JsonObject[] }, { items: JsonObject[] }][] = [
    [initial, initial],
    [initial, others],
    [{ items: [] }, initial],
  ]
  for (const [before, after] of pairs)
    for (const leaves of leave) {
      const run = await world.open(before, limits, newSeed())
      await leaves(run, (await run.observe()).world.ids.initial)
      await run.close()
      const next = await world.open(after, limits, newSeed())
      const { world: state, faults } = await next.observe()
      expect(state.state).toEqual({
        items: after.items.map((one, i) => ({ id: state.ids.initial[i], ...one })),
      })
      expect(faults).toEqual([])
      await next.close()
    }
  await world.close()
})

test('a run that is cut off in the middle of requests leaves a usable world', async () => {
  const world = newWorld({ prefix: 'cut', poolSize: 1 })
  for (let i = 0; i < 5; i++) {
    const run = await world.open({ items: [item('start')] }, limits, newSeed())
    const body = JSON.stringify({ i })
    for (let n = 0; n < 8; n++)
      connect(run).write(
        `POST /api/sessions/clinic/settings HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    // One never sends the rest of its body.
    connect(run).write(
      'POST /api/sessions/clinic/settings HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{',
    )
    await new Promise((resolve) => setTimeout(resolve, i))
    await run.close()
    const next = await world.open({ items: [item('start')] }, limits, newSeed())
    const { world: state, faults } = await next.observe()
    expect((state.state as { items: JsonValue[] }).items).toHaveLength(1)
    expect(faults).toEqual([])
    expect(await call(next, 'GET', 'clinic/settings')).toMatchObject({
      status: 200,
      body: [{ data: { title: 'start' } }],
    })
    await next.close()
  }
  // It is the same database all along: none had to be given up.
  expect(await database.client.db('cut_sessions').collection('claims').countDocuments()).toBe(1)
  await world.close()
})

test('a process that was cut off for longer than its claims last takes new ones', async () => {
  let time = 0
  const world = newWorld({ clock: { shared: async () => time, local: () => time } })
  const before = await world.open({ items: [item('start')] }, limits, newSeed())
  time += 120_000
  expect((await before.observe()).faults).toEqual([expect.stringMatching(/claim/)])
  const after = await world.open({ items: [item('start')] }, limits, newSeed())
  expect((await after.observe()).faults).toEqual([])
  await Promise.all([before.close(), after.close()])
  await world.close()
})

test('whatever a run does after its claim has expired, the next owner of the database sees nothing of it', async () => {
  let time = 0
  const clock = { shared: async () => time, local: () => time }
  const start = { items: [item('start')] }
  for (const isSameProcess of [true, false])
    for (const late of [
      async (run: OpenSessionWorld) => void (await call(run, 'POST', 'clinic/settings', { title: 'late' })),
      async (run: OpenSessionWorld) => {
        const [first] = (await run.observe()).world.ids.initial
        await call(run, 'PUT', `clinic/settings/${first}`, { title: 'late' })
      },
      async (run: OpenSessionWorld) => {
        const [first] = (await run.observe()).world.ids.initial
        await call(run, 'DELETE', `clinic/settings/${first}`)
      },
      (run: OpenSessionWorld) => run.close(),
    ]) {
      const owner = newWorld({ clock, poolSize: 1 })
      const next = isSameProcess ? owner : newWorld({ prefix: `world${worlds}`, clock, poolSize: 1 })
      const before = await owner.open(start, limits, newSeed())
      time += 120_000
      const after = await next.open(start, limits, newSeed())
      await late(before)
      if (!isSameProcess) await Promise.all([before.close(), owner.close()])
      await call(after, 'POST', 'clinic/settings', { title: 'own' })
      const { world: state, faults } = await after.observe()
      const { items } = state.state as { items: { data: JsonValue }[] }
      expect(items.map(({ data }) => data)).toEqual([{ title: 'start' }, { title: 'own' }])
      expect(faults).toEqual([])
      await Promise.all([before.close(), after.close()])
      await next.close()
    }
})

test('observing waits for requests that are on their way, half a request does not hold it up', async () => {
  const world = newWorld()
  const run = await world.open({ items: [] }, limits, newSeed())
  connect(run).write('POST /api/sessions/clinic/settings HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
  const sent = [1, 2, 3].map((n) => call(run, 'POST', 'clinic/settings', { n }))
  const { world: state } = await run.observe()
  expect((state.state as { items: JsonValue[] }).items).toHaveLength(3)
  await Promise.all(sent)
  await run.close()
  await world.close()
})

test('requests beyond the limit are refused and marked', async () => {
  const world = newWorld()
  const run = await world.open({ items: [] }, { ...limits, requests: 2 }, newSeed())
  expect((await call(run, 'GET', 'clinic/settings')).status).toBe(200)
  expect((await call(run, 'GET', 'clinic/settings')).status).toBe(200)
  expect((await run.observe()).exceeded).toBeUndefined()
  expect(await call(run, 'POST', 'clinic/settings', { n: 3 })).toMatchObject({
    status: 429,
    body: { status: 429, error: 'Too Many Requests' },
  })
  const { exceeded, faults, requests, world: state } = await run.observe()
  expect({ exceeded, faults, requests, state: state.state }).toEqual({
    exceeded: 'requests',
    faults: [],
    requests: 3,
    state: { items: [] },
  })
  await run.close()
  await world.close()
})

test('what nobody waited for is charged to the run: it is ended when its time is over', async () => {
  const world = newWorld()
  const items = Array.from({ length: 30 }, (_, n) => item('x'.repeat(50_000) + n))
  const run = await world.open({ items }, { ...limits, wallMs: 100 }, newSeed())
  const slow = { 'data.title': { $regex: 'x{0,150}y' } }
  const sent = Array.from({ length: 60 }, () => call(run, 'POST', 'clinic/settings/query/fetch', slow))
  const refused = call(run, 'POST', 'clinic/settings/query/fetch', { 'data.title': { $regex: 'x{0,990}' } })
  const last = call(run, 'POST', 'clinic/settings', { n: 1 })
  const all = Promise.allSettled([...sent, refused, last])
  await new Promise((go) => setTimeout(go, 50))
  const { exceeded, faults } = await run.observe()
  expect([exceeded, faults]).toEqual(['time', []])
  await run.close()
  await all
  // The server serves the next one.
  expect(await isServing(world)).toBe(true)
  await world.close()
})

const whenEmbedded = process.env['MONGODB_URI'] ? test.skip : test
whenEmbedded(
  'when a run has ended, the database works on no more than one document of each request',
  async () => {
    const world = newWorld({ poolSize: 1 })
    const items = Array.from({ length: 12 }, (_, n) => item('x'.repeat(50_000) + n))
    const query = { 'data.title': { $regex: 'x{0,60}y' } }
    const find = (run: OpenSessionWorld) => call(run, 'POST', 'clinic/settings/query/fetch', query)
    const pid = await findServerProcess(database.servers.mongoUri)

    const whole = await world.open({ items }, { ...limits, wallMs: 100_000 }, newSeed())
    const before = await readTicksWhenIdle(pid)
    expect((await find(whole)).status).toBe(200)
    const ticksOfAll = (await readTicksWhenIdle(pid)) - before
    await whole.close()

    const run = await world.open({ items }, { ...limits, wallMs: 100 }, newSeed())
    const all = Promise.allSettled(Array.from({ length: 60 }, () => find(run)))
    expect(await run.observe()).toMatchObject({ exceeded: 'time', faults: [] })
    const atEnd = await readCpuTicks(pid)
    await run.close()
    await all
    // Each request that was under way had one document of twelve left at most.
    expect((await readTicksWhenIdle(pid)) - atEnd).toBeLessThan(ticksOfAll / 2)
    await world.close()
  },
)

test('a run stores so much and no more', async () => {
  const world = newWorld()
  const run = await world.open({ items: [] }, limits, newSeed())
  let status = 200
  let stored = 0
  for (; status === 200; stored++)
    ({ status } = await call(run, 'POST', 'clinic/settings', { n: stored, text: 'x'.repeat(240_000) }))
  expect([status, stored - 1]).toEqual([413, 34])
  const { faults, world: state } = await run.observe()
  expect([faults, (state.state as { items: JsonValue[] }).items.length]).toEqual([[], 34])
  await run.close()
  await world.close()
})

test('long bodies are cut in the log, and it keeps the first 200 requests', async () => {
  const world = newWorld()
  const run = await world.open({ items: [] }, limits, newSeed())
  await call(run, 'POST', 'clinic/settings', { long: 'x'.repeat(5000) })
  for (let n = 0; n < 210; n++) await call(run, 'DELETE', 'clinic/settings/none')
  const { log, requests } = await run.observe()
  expect(log[0]?.requestBody).toHaveLength(2048)
  expect([log.length, requests]).toEqual([200, 211])
  await run.close()
  await world.close()
})

test('a closed run takes no connections; a closed world opens no run', async () => {
  const world = newWorld()
  const run = await world.open({ items: [] }, limits, newSeed())
  const before = connect(run)
  await run.close()
  await run.close()
  expect(
    before.destroyed || (await new Promise((resolve) => before.once('close', () => resolve(true)))),
  ).toBe(true)
  await expect(call(run, 'GET', 'clinic/settings')).rejects.toThrow()
  await world.close()
  await expect(world.open({ items: [] }, limits, newSeed())).rejects.toThrow('closed')
})

test.each([
  [null, 'world: give'],
  [{ items: [{ source: 'ab', type: 'settings', data: {} }] }, 'world.items[0].source'],
  [{ items: [item('a'), item('b', 'clinic', 'nothing')] }, 'world.items[1].type'],
  [{ items: [{ source: 'abc', type: 'settings', data: [] }] }, 'world.items[0].data'],
  [{ items: [item('a'), item('a')] }, 'world.items[1]: equals world.items[0]'],
] as [JsonValue, string][])(
  'initial items that are no world are refused by name: %j',
  async (wrong, message) => {
    const world = newWorld()
    await expect(world.open(wrong, limits, newSeed())).rejects.toThrow(message)
    await world.close()
  },
)

test('two processes with one prefix use different databases', async () => {
  const [one, two] = [newWorld({ prefix: 'shared' }), newWorld({ prefix: 'shared' })] as const
  const runs = await Promise.all(
    [one, two, one, two].map((world) => world.open({ items: [] }, limits, newSeed())),
  )
  await Promise.all(runs.map((run, i) => call(run, 'POST', 'clinic/settings', { i })))
  for (const run of runs)
    expect(((await run.observe()).world.state as { items: JsonValue[] }).items).toHaveLength(1)
  await Promise.all(runs.map((run) => run.close()))
  await Promise.all([one.close(), two.close()])
})
