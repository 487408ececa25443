/**
 * Tool sessions without servers: replicas on one store in memory, with a small world. Wherever a replica
 * dies, and whoever asks whom how often, each call counts once and every reply is the same.
 */
import { describe, expect, test } from '@jest/globals'
import type { JsonValue, ModelToolCall, PayloadParts } from '@stateeval/contracts'
import { InitialError, type SandboxWorld } from '@stateeval/sandbox'
import { createLog } from '@stateeval/service-kit'
import { isLong, liveHeapMiB, patience } from '@stateeval/testkit'
import fc from 'fast-check'
import { type SessionParts, ToolSessions } from '../src/sessions/sessions.ts'
import { type LogEntry, logLength, type SessionStore, type StoredSession } from '../src/sessions/store.ts'

/** Counts and remembers; `now` and `odd` break the law of replays on purpose, `hang` never ends. */
function counterWorld(clock = { reads: 0 }) {
  const counts = { opened: 0, open: 0, calls: 0, fail: 0, stall: 0, broken: 0 }
  const world: SandboxWorld = {
    id: 'counter',
    canary: { world: 0, calls: [['read', {}]] },
    tools: () => ['add', 'read', 'hang', 'now', 'break'].map((name) => ({ name })),
    open(initial, _limits, seed) {
      if (typeof initial !== 'number') return Promise.reject(new InitialError('world: give a number'))
      if (counts.fail > 0 && counts.fail--) return Promise.reject(new Error('no database'))
      counts.opened++
      counts.open++
      let sum = initial
      const call = async (name: string, { n = 0 }: Record<string, JsonValue>) => {
        counts.calls++
        await new Promise((resolve) => setImmediate(resolve))
        if (counts.stall > 0 && counts.stall--) return new Promise<never>(() => {})
        if (name === 'hang') return new Promise<never>(() => {})
        if (name === 'break' || (counts.broken > 0 && counts.broken--)) throw new Error(`no ${clock.reads++}`)
        if (name === 'now') return { content: String(clock.reads++) }
        if (name === 'add' && typeof n !== 'number') return { content: 'n is a number', error: true as const }
        if (name === 'add') sum += n as number
        return { content: JSON.stringify({ sum, id: `${seed}-${sum}` }) }
      }
      const observe = () =>
        Promise.resolve({
          world: { state: sum, ids: { initial: [], created: [] }, gone: [] },
          log: [],
          faults: [],
        })
      const close = () => Promise.resolve(void counts.open--)
      return Promise.resolve({ channel: { kind: 'none' }, call, observe, close })
    },
    close: () => Promise.resolve(),
  }
  return { world, counts }
}

/** A replica has died: none of its operations ends any more. */
class Died extends Error {}

/** What all replicas share. */
function database() {
  const sessions = new Map<string, StoredSession>()
  const entries = new Map<string, LogEntry>()
  const artifacts = new Map<string, string>()
  let [writes, reads] = [0, 0]
  const read = <T>(value: T | undefined): Promise<T | null> => {
    reads++
    return Promise.resolve(structuredClone(value ?? null))
  }
  /** A replica's view of it; `dieAt`: it dies before or after its n-th write. */
  function store(dieAt?: { write: number; after: boolean }): SessionStore {
    let count = 0
    const write = <T>(change: () => T): Promise<T> => {
      writes++
      const last = count++ === dieAt?.write
      if (last && !dieAt.after) return Promise.reject(new Died())
      const value = change()
      return last ? Promise.reject(new Died()) : Promise.resolve(structuredClone(value))
    }
    const insert = <T>(map: Map<string, T>, id: string, value: T) => {
      if (!map.has(id)) map.set(id, structuredClone(value))
      return map.get(id)!
    }
    return {
      create: (session) =>
        write(() => {
          const there = sessions.get(session._id) ?? null
          insert(sessions, session._id, session)
          return there
        }),
      append: (id, index, entry) => write(() => insert(entries, `${id}:${index}`, entry)),
      find: (id) => read(sessions.get(id)),
      entry: (id, index) => read(entries.get(`${id}:${index}`)),
    }
  }
  return { store, entries, sessions, artifacts, writes: () => writes, reads: () => reads }
}

function replica(
  data: ReturnType<typeof database>,
  world: SandboxWorld,
  options: Partial<SessionParts> & { dieAt?: { write: number; after: boolean } } = {},
) {
  const { dieAt, ...more } = options
  return new ToolSessions({
    store: data.store(dieAt),
    artifacts: {} as SessionParts['artifacts'],
    artifactCache: {} as SessionParts['artifactCache'],
    log: createLog('execution', { level: 'silent' }),
    world: () => Promise.resolve(world),
    now: () => new Date(1_000),
    clock: () => 1000,
    runtime: 'test',
    maxOpen: 4,
    idleMs: 1000,
    ...more,
  })
}

const request = { world: 'counter', input: { variables: { a: 1 }, world: 10 }, seed: '0'.repeat(32) }
const add = (n: JsonValue, id = 'c'): ModelToolCall => ({ id, name: 'add', arguments: JSON.stringify({ n }) })
const sums = (answer: object) =>
  (answer as { results: { content: string }[] }).results.map(
    ({ content }) => (JSON.parse(content) as { sum: number }).sum,
  )
const stateOf = (parts: PayloadParts) => JSON.stringify(parts).match(/"state":(\d+)/)?.[1]

describe('one replica', () => {
  test('calls run in order, repeats are answered from the log', async () => {
    const { world, counts } = counterWorld()
    const sessions = replica(database(), world)
    const { session, tools } = await sessions.open('ses_1', request)
    expect([session.seed, session.input.variables, tools.length]).toEqual([request.seed, { a: 1 }, 5])
    const first = await sessions.call('ses_1', { index: 0, calls: [add(1, 'x'), add(2, 'y')] })
    expect(sums(first)).toEqual([11, 13])
    expect((first as { results: { id: string }[] }).results.map(({ id }) => id)).toEqual(['x', 'y'])
    expect(await sessions.call('ses_1', { index: 0, calls: [add(1, 'x'), add(2, 'y')] })).toEqual(first)
    expect(sums(await sessions.call('ses_1', { index: 1, calls: [add(2), add(3)] }))).toEqual([13, 16])
    expect(counts.calls).toBe(3)
    expect(await sessions.open('ses_1', request)).toMatchObject({ calls: 3, end: null })
    const closed = await sessions.close('ses_1', { done: true })
    expect(await sessions.open('ses_1', request)).toMatchObject({ calls: 3, end: { kind: 'closed' } })
    expect(stateOf(closed)).toBe('16')
    expect(await sessions.close('ses_1', 'another')).toEqual(closed)
    expect([counts.opened, counts.open]).toEqual([1, 0])
  })

  test('a call in an open world is one insert and reads nothing; one of a removed session is refused', async () => {
    const data = database()
    const { world } = counterWorld()
    const sessions = replica(data, world)
    await sessions.open('ses_1', request)
    const [writes, reads] = [data.writes(), data.reads()]
    for (let index = 0; index < 5; index++) await sessions.call('ses_1', { index, calls: [add(1)] })
    expect([data.writes() - writes, data.reads() - reads]).toEqual([5, 0])
    data.sessions.delete('ses_1')
    await new Promise((resolve) => setTimeout(resolve, 2100))
    await expect(sessions.call('ses_1', { index: 5, calls: [add(1)] })).rejects.toThrow('there is no session')
    expect(data.entries.has('ses_1:5')).toBe(false)
  })

  test('a closed session leaves nothing in memory, however large its variables are', async () => {
    const data = database()
    const sessions = replica(data, counterWorld().world)
    const before = liveHeapMiB()
    const large = () => ({ variables: { a: Array.from({ length: 1_000_000 }, Math.random) }, world: 10 })
    for (const id of ['ses_1', 'ses_2', 'ses_3']) {
      await sessions.open(id, { ...request, input: large() })
      await sessions.close(id)
      data.sessions.clear()
    }
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(liveHeapMiB() - before).toBeLessThan(8)
  })

  test('another call at a place that is taken, a gap, and a call after the end are conflicts', async () => {
    const { world } = counterWorld()
    const sessions = replica(database(), world)
    await sessions.open('ses_1', request)
    await sessions.call('ses_1', { index: 0, calls: [add(1)] })
    const refused = async (index: number, ...calls: ModelToolCall[]) =>
      expect(sessions.call('ses_1', { index, calls })).rejects.toMatchObject({ code: 'conflict' })
    await refused(0, add(2))
    await refused(3, add(2))
    expect(sums(await sessions.call('ses_1', { index: 1, calls: [add(1)] }))).toEqual([12])
    await sessions.close('ses_1')
    await refused(2, add(1))
    expect(sums(await sessions.call('ses_1', { index: 1, calls: [add(1)] }))).toEqual([12])
    await expect(
      sessions.open('ses_1', { ...request, world: 'counter', input: { variables: {}, world: 3 } }),
    ).rejects.toMatchObject({ code: 'conflict' })
    await expect(sessions.call('ses_2', { index: 0, calls: [add(1)] })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('two different calls at one place at the same time: one counts, the other is a conflict', async () => {
    const { world } = counterWorld()
    const data = database()
    const replicas = [replica(data, world), replica(data, world)]
    await replicas[0]!.open('ses_1', request)
    const both = await Promise.allSettled(
      replicas.map((sessions, n) => sessions.call('ses_1', { index: 0, calls: [add(n + 1)] })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const won = both.findIndex(({ status }) => status === 'fulfilled') + 1
    expect(stateOf(await replicas[won === 1 ? 1 : 0]!.close('ses_1'))).toBe(String(10 + won))
  })

  test('what a model wrote is answered with words and counts as a call', async () => {
    const { world, counts } = counterWorld()
    const sessions = replica(database(), world)
    await sessions.open('ses_1', { ...request, limits: { requests: 6, resultKiB: 1 } })
    const texts = [
      'no json',
      '[1]',
      `${'{"n":'.repeat(1500)}1${'}'.repeat(1500)}`,
      `{"n":"${'x'.repeat(2000)}"}`,
      '{"n":1e999}',
    ]
    const calls = texts.map((text) => ({ id: 'c', name: 'add', arguments: text }))
    const { results } = (await sessions.call('ses_1', { index: 0, calls: [...calls, add(1), add(1)] })) as {
      results: { content: string; error?: true }[]
    }
    expect(results.map(({ error }) => error)).toEqual([true, true, true, true, true, undefined, true])
    expect(results[0]!.content).toMatch(/add takes its arguments as a JSON object/)
    expect(results[4]!.content).toContain('the number at /n is beyond 1.79')
    expect(results[6]!.content).toBe('a session may make at most 6 calls')
    expect(counts.calls).toBe(1)
    expect(JSON.stringify(await sessions.close('ses_1', 1))).toContain('{"status":"killed","by":"requests"}')
  })

  test('what all calls exchange is bounded, whichever replica counts', async () => {
    const data = database()
    const { world, counts } = counterWorld()
    const [one, other] = [replica(data, world), replica(data, world)]
    await one.open('ses_1', { ...request, limits: { resultKiB: 1 } })
    const calls = Array.from({ length: 40 }, () => add('x'.repeat(1010)))
    const { results } = (await one.call('ses_1', { index: 0, calls })) as { results: { content: string }[] }
    expect(results[31]!.content).toBe('n is a number')
    expect(results[32]!.content).toBe('arguments and replies of a session may have at most 32 KiB together')
    expect(counts.calls).toBe(32)
    expect(JSON.stringify(await other.call('ses_1', { index: 40, calls: [add(1)] }))).toContain(
      'at most 32 KiB',
    )
    expect(JSON.stringify(await one.close('ses_1', 1))).toContain('{"status":"killed","by":"requests"}')
  })

  test('a call that takes too long ends the session; closing it says so', async () => {
    const { world, counts } = counterWorld()
    const sessions = replica(database(), world)
    const wallMs = patience(100)
    await sessions.open('ses_1', { ...request, limits: { wallMs } })
    const calls = [add(1), { id: 'h', name: 'hang', arguments: '{}' }, add(2)]
    const ending = { status: 'timeout', limit: 'wall', afterMs: wallMs }
    expect(await sessions.call('ses_1', { index: 0, calls })).toEqual({ ending })
    expect(await sessions.call('ses_1', { index: 0, calls })).toEqual({ ending })
    expect(sums(await sessions.call('ses_1', { index: 0, calls: [add(1)] }))).toEqual([11])
    expect(await sessions.close('ses_1', 1)).toMatchObject({
      inline: { observations: [{ ending, world: null }] },
    })
    expect((await sessions.look('ses_1')).end?.kind).toBe('ended')
    expect(counts.open).toBe(0)
  })

  test('the time of calls does not depend on the machine’s clock, which may jump', async () => {
    let now = 1_000_000
    const clocks = { now: () => new Date((now -= 60_000)), clock: () => performance.now() }
    const sessions = replica(database(), counterWorld().world, clocks)
    await sessions.open('ses_1', request)
    await sessions.call('ses_1', { index: 0, calls: [add(1)] })
    const [, wallMs] = /"wallMs":(-?[\d.]+)/.exec(JSON.stringify(await sessions.close('ses_1')))!
    expect(Number(wallMs)).toBeGreaterThanOrEqual(0)
  })

  test('a call that is late once, as this process was kept waiting, is made again in a new world', async () => {
    const { world, counts } = counterWorld()
    const data = database()
    const sessions = replica(data, world)
    await sessions.open('ses_1', { ...request, limits: { wallMs: patience(100) } })
    await sessions.call('ses_1', { index: 0, calls: [add(1)] })
    counts.stall = 1
    expect(sums(await sessions.call('ses_1', { index: 1, calls: [add(2), add(3)] }))).toEqual([13, 16])
    expect([counts.opened, counts.open, data.entries.size]).toEqual([2, 1, 3])
    expect(stateOf(await sessions.close('ses_1'))).toBe('16')
  })

  test('a world that can’t be opened or described is told apart', async () => {
    const { world, counts } = counterWorld()
    const sessions = replica(database(), world)
    const wrong = { ...request, input: { variables: {}, world: 'x' } }
    await expect(sessions.open('ses_1', wrong)).rejects.toMatchObject({
      code: 'unprocessable',
      field: '/input/world',
    })
    counts.fail = 1
    await expect(sessions.open('ses_1', request)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no database'),
    })
    await sessions.open('ses_1', request)
    const { tools: _, ...programsOnly } = world
    const without = replica(database(), programsOnly)
    await expect(without.open('ses_1', request)).rejects.toMatchObject({
      code: 'unprocessable',
      field: '/world',
    })
  })

  test('worlds that are open are bounded; idle ones are given up and replayed', async () => {
    const { world, counts } = counterWorld()
    let now = 0
    const sessions = replica(database(), world, { maxOpen: 2, clock: () => now++ })
    const ids = ['ses_1', 'ses_2', 'ses_3', 'ses_4', 'ses_5']
    await Promise.all(ids.map((id) => sessions.open(id, request)))
    await Promise.all(ids.map((id) => sessions.call(id, { index: 0, calls: [add(1)] })))
    expect(sessions.openWorlds).toBeLessThanOrEqual(2)
    expect(counts.open).toBeLessThanOrEqual(2)
    const all = await Promise.all(ids.map((id) => sessions.call(id, { index: 1, calls: [add(1)] })))
    expect(all.map(sums)).toEqual(ids.map(() => [12]))
    now += 10_000
    await sessions.giveUpIdle()
    expect([sessions.openWorlds, counts.open]).toEqual([0, 0])
    expect(sums(await sessions.call('ses_1', { index: 2, calls: [add(1)] }))).toEqual([13])
  })
})

describe('two replicas', () => {
  test('a session that the other one closed takes no more calls, although its world is open here', async () => {
    const data = database()
    const [one, other] = [counterWorld(), counterWorld()].map(({ world }) => replica(data, world))
    await one!.open('ses_1', request)
    await one!.call('ses_1', { index: 0, calls: [add(1)] })
    const closed = await other!.close('ses_1')
    await expect(one!.call('ses_1', { index: 1, calls: [add(1)] })).rejects.toThrow('closed')
    expect(await one!.close('ses_1')).toEqual(closed)
    expect(data.entries.size).toBe(2)
  })

  test('a call that waits while a second opening loses meets the world of the stored session', async () => {
    const data = database()
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    const store = data.store()
    const late: SessionStore = { ...store, create: (session) => gate.then(() => store.create(session)) }
    const one = replica(data, counterWorld().world)
    const other = replica(data, counterWorld().world, { store: late })
    const { seed: _, ...unseeded } = request
    const second = other.open('ses_1', unseeded)
    await new Promise((resolve) => setImmediate(resolve))
    const { session } = await one.open('ses_1', unseeded)
    const called = other.call('ses_1', { index: 0, calls: [add(1)] })
    await new Promise((resolve) => setImmediate(resolve))
    release()
    expect((await second).session.seed).toBe(session.seed)
    expect(JSON.stringify(await called)).toContain(`${session.seed}-11`)
  })

  test('each goes on with what the other did, and does every call once', async () => {
    const data = database()
    const worlds = [counterWorld(), counterWorld()]
    const replicas = worlds.map(({ world }) => replica(data, world))
    await replicas[0]!.open('ses_1', request)
    for (let index = 0; index < 10; index++)
      expect(sums(await replicas[(index * 7) % 2]!.call('ses_1', { index, calls: [add(1)] }))).toEqual([
        11 + index,
      ])
    for (const { counts } of worlds) expect(counts).toMatchObject({ opened: 1 })
    expect(Math.max(...worlds.map(({ counts }) => counts.calls))).toBeLessThanOrEqual(10)
    expect(stateOf(await replicas[1]!.close('ses_1'))).toBe('20')
  })

  test('a call over which the world fails twice, while it serves others, ends the session as its caller’s', async () => {
    const { world, counts } = counterWorld()
    const sessions = replica(database(), world)
    await sessions.open('ses_1', request)
    await sessions.call('ses_1', { index: 0, calls: [add(1)] })
    const calls = [add(2), { id: 'b', name: 'break', arguments: '{}' }]
    const ending = {
      ...{ status: 'killed', by: 'requests' },
      detail: expect.stringMatching(/failed twice.*: no \d/),
    }
    expect(await sessions.call('ses_1', { index: 1, calls })).toEqual({ ending })
    expect(JSON.stringify(await sessions.close('ses_1'))).toContain('"by":"requests"')
    expect(counts.open).toBe(0)
  })

  test('a world that fails others as well is our failure: the call may be repeated', async () => {
    const { world, counts } = counterWorld()
    const sessions = replica(database(), world)
    await sessions.open('ses_1', request)
    // The call, and known work after it.
    counts.broken = 2
    const call = { index: 0, calls: [add(1)] }
    await expect(sessions.call('ses_1', call)).rejects.toMatchObject({ code: 'unavailable' })
    expect(sums(await sessions.call('ses_1', call))).toEqual([11])
  })

  test('a replay that differs is our failure and ends the session', async () => {
    const data = database()
    const clock = { reads: 0 }
    const [one, other] = [0, 1].map(() => replica(data, counterWorld(clock).world))
    await one!.open('ses_1', request)
    await one!.call('ses_1', { index: 0, calls: [{ id: 'n', name: 'now', arguments: '{}' }, add(1)] })
    const ending = {
      status: 'infrastructure',
      reason: expect.stringMatching(/replied differently .* call 0 \(now\)/),
    }
    expect(await other!.call('ses_1', { index: 2, calls: [add(1)] })).toEqual({ ending })
    expect(await one!.call('ses_1', { index: 2, calls: [add(1)] })).toEqual({ ending })
    expect(await one!.close('ses_1')).toMatchObject({ inline: { observations: [{ ending }] } })
  })

  /** What an asker does that repeats whatever fails, at any replica. */
  async function play(replicas: ToolSessions[], picks: readonly number[]) {
    let turn = 0
    const insist = async <T>(ask: (sessions: ToolSessions) => Promise<T>): Promise<T> => {
      for (;;) {
        const at = picks[turn++ % picks.length]! % replicas.length
        try {
          return await ask(replicas[at]!)
        } catch (error) {
          if (turn > 200) throw error
        }
      }
    }
    await insist((sessions) => sessions.open('ses_1', request))
    const replies: unknown[] = []
    for (const [index, calls] of [
      [0, [add(1)]],
      [1, [add(2), add('x')]],
      [3, [add(4)]],
    ] as const)
      replies.push(await insist((sessions) => sessions.call('ses_1', { index, calls: [...calls] })))
    return { replies, closed: await insist((sessions) => sessions.close('ses_1', 'r')) }
  }

  test('killed before or after any write, the asker gets the same, and each call counts once', async () => {
    const expected = await play([replica(database(), counterWorld().world)], [0])
    for (let write = 0; write < 7; write++)
      for (const after of [false, true]) {
        const data = database()
        const dying = replica(data, counterWorld().world, { dieAt: { write, after } })
        const next = replica(data, counterWorld().world)
        expect(await play([dying, next], [0, 1])).toEqual(expected)
        expect(await play([dying, next], [1])).toEqual(expected)
        expect(await logLength(data.store(), 'ses_1')).toBe(5)
      }
  })

  test('whoever is asked, killed and replaced in any order gives the same', async () => {
    const expected = await play([replica(database(), counterWorld().world)], [0])
    const death = fc.option(fc.record({ write: fc.nat(5), after: fc.boolean() }))
    const picks = fc.array(fc.nat(3), { minLength: 1, maxLength: 12 })
    const holds = fc.asyncProperty(fc.array(death, { maxLength: 3 }), picks, async (deaths, order) => {
      const data = database()
      const dying = deaths.map((dieAt) =>
        replica(data, counterWorld().world, { maxOpen: 1, ...(dieAt && { dieAt }) }),
      )
      const replicas = [...dying, replica(data, counterWorld().world)]
      expect(await play(replicas, [...order, replicas.length - 1])).toEqual(expected)
    })
    await fc.assert(holds, { numRuns: isLong ? 2000 : 100 })
  })
})

test.each([0, 1, 2, 3, 7, 8, 40])('the length of a log of %s entries is found', async (length) => {
  const data = database()
  const store = data.store()
  for (let at = 0; at < length; at++)
    await store.append('s', at, { name: 'a', arguments: '', reply: { content: '' } })
  expect(await logLength(store, 's')).toBe(length)
})
