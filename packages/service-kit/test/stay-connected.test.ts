/**
 * The client is connected again where its own watch hangs. The driver is a stand-in whose heartbeats never
 * end on demand, and at the end the real one, before a server that is stopped.
 */
import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { isLong, patience, serverProcess, until } from '@stateeval/testkit'
import fc from 'fast-check'
import { type Db, MongoClient } from 'mongodb'
import { type ConnectableClient, keepConnected } from '../src/stay-connected.ts'
import { openMongo } from '../src/mongo.ts'

const server = { address: 'a:1' }

function driver(failures = 0) {
  const calls: string[] = []
  const events = new EventEmitter()
  const client: ConnectableClient = Object.assign(events, {
    connect: () => {
      calls.push('connect')
      return calls.filter((word) => word === 'connect').length > failures
        ? Promise.resolve()
        : Promise.reject(new Error('away'))
    },
    close: () => Promise.resolve(void calls.push('close')),
  })
  return { client, calls, events }
}

test('a client that could not connect at first is told to try again', async () => {
  const { client, calls } = driver(2)
  const close = keepConnected(client, { waitMs: 1 })
  await until(() => calls.length === 3)
  await close()
  expect(calls).toEqual(['connect', 'connect', 'connect', 'close'])
})

test('a heartbeat that never ends closes the client and connects it anew; one that ends does not', async () => {
  const { client, calls, events } = driver()
  const close = keepConnected(client, { hungMs: 50 })
  for (const end of ['serverHeartbeatSucceeded', 'serverHeartbeatFailed', 'serverClosed']) {
    events.emit('serverHeartbeatStarted', server)
    events.emit(end, server)
  }
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(calls).toEqual(['connect'])
  events.emit('serverHeartbeatStarted', server)
  // Another server's heartbeats say nothing of this one's.
  events.emit('serverHeartbeatStarted', { address: 'b:1' })
  events.emit('serverHeartbeatSucceeded', { address: 'b:1' })
  await until(() => calls.length === 3)
  expect(calls).toEqual(['connect', 'close', 'connect'])
  events.emit('serverHeartbeatStarted', server)
  await close()
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(calls).toEqual(['connect', 'close', 'connect', 'close'])
  expect(events.eventNames()).toEqual([])
})

/** As mongodb 7.9: told to connect while it is being closed, it agrees, and is cut off at the close's end. */
function slowDriver(connects: readonly { ms: number; fails: boolean }[], closes: readonly number[]) {
  const events = new EventEmitter()
  const about = { isConnected: false, closing: 0, connects: 0, closes: 0 }
  const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const client: ConnectableClient = Object.assign(events, {
    async connect() {
      const { ms, fails } = connects[about.connects++ % connects.length]!
      // Once the disturbances are over, it can.
      const isRefused = fails && about.connects < 20
      if (about.isConnected) return
      await after(ms)
      if (isRefused) throw new Error('away')
      about.isConnected = true
    },
    async close() {
      about.closing++
      await after(closes[about.closes++ % closes.length]!)
      about.closing--
      about.isConnected = false
    },
  })
  return { client, events, about }
}

/** Lets so much time pass, in steps; whatever waits for promises gets its turn between two. */
async function passes(ms: number, step = 250): Promise<void> {
  for (let at = 0; at < ms; at += step) {
    mock.timers.tick(step)
    await setImmediate()
  }
}

test('it is connected in the end, however long the driver takes for what, and closed after a stop', async () => {
  const ms = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 20_000 }))
  const cases = fc.record({
    connects: fc.array(fc.record({ ms, fails: fc.boolean() }), { minLength: 1, maxLength: 6 }),
    closes: fc.array(ms, { minLength: 1, maxLength: 6 }),
    hangsAt: fc.array(ms, { maxLength: 6 }),
    stopAt: ms,
  })
  const begin = ({ connects, closes, hangsAt }: Pick<Cases, 'connects' | 'closes' | 'hangsAt'>) => {
    const slow = slowDriver(connects, closes)
    const stop = keepConnected(slow.client, { hungMs: 6000 })
    for (const at of hangsAt) setTimeout(() => slow.events.emit('serverHeartbeatStarted', server), at)
    return { ...slow, stop }
  }
  type Cases = typeof cases extends fc.Arbitrary<infer T> ? T : never
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  try {
    await fc.assert(
      fc.asyncProperty(cases, async (drawn) => {
        const left = begin(drawn)
        await passes(700_000, 2500)
        expect(left.about).toMatchObject({ isConnected: true, closing: 0 })
        void left.stop()

        const stopped = begin(drawn)
        await passes(drawn.stopAt)
        const ended = stopped.stop()
        await passes(100_000, 2500)
        await ended
        expect(stopped.about).toMatchObject({ isConnected: false, closing: 0 })
      }),
      { numRuns: isLong ? 2000 : 100 },
    )
  } finally {
    mock.timers.reset()
  }
})

test('before a server that is stopped and goes on in any order, the real driver comes back', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stateeval-stopped-'))
  const mongodb = await serverProcess('mongodb', { data })
  await mongodb.start()
  const uri = `mongodb://127.0.0.1:${mongodb.port}`
  const client = new MongoClient(uri, {
    ...{ serverSelectionTimeoutMS: patience(300), connectTimeoutMS: patience(400) },
    ...{ heartbeatFrequencyMS: 500, minHeartbeatFrequencyMS: 100 },
  })
  // Hung sooner than the driver itself would say so: each stop closes the client in mid-heartbeat.
  const close = keepConnected(client, { hungMs: patience(200), waitMs: 50 })
  const service = openMongo({ uri, namespace: 'stopped', service: 'test' })
  const databases = [client.db('stopped'), service.db]
  const answers = (db: Db) => db.command({ ping: 1 }, { timeoutMS: patience(2000) }).catch(() => null)
  const ms = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: isLong ? 5000 : 1200 }))
  // The next stop may come while the driver connects, or is being closed.
  const stops = fc.array(fc.record({ stopMs: ms, goMs: ms }), { minLength: 1, maxLength: 4 })
  try {
    await fc.assert(
      fc.asyncProperty(stops, async (drawn) => {
        const writes: Promise<unknown>[] = []
        for (const { stopMs, goMs } of drawn) {
          mongodb.signal('SIGSTOP')
          // Something is under way when it stops.
          for (const db of databases)
            writes.push(
              db
                .collection('a')
                .insertOne({})
                .catch(() => undefined),
            )
          await sleep(patience(stopMs))
          mongodb.signal('SIGCONT')
          await sleep(patience(goMs))
        }
        for (const db of databases) await until(() => answers(db))
        await Promise.all(writes)
      }),
      {
        numRuns: isLong ? 40 : 6,
        endOnFailure: true,
        examples: isLong ? [[[{ stopMs: 60_000, goMs: 0 }]]] : [],
      },
    )
  } finally {
    await close()
    await service.close()
    await mongodb.end()
    await rm(data, { recursive: true, force: true })
  }
})
