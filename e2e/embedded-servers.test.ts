/**
 * The embedded servers themselves: they may be killed at any time, and nothing that they acknowledged is
 * lost.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { MongoBulkWriteError } from 'mongodb'
import { AckPolicy, RetentionPolicy, StringCodec } from 'nats'
import { patience, until } from '@stateeval/testkit'
import { type EmbeddedProcess, embeddedProcess } from './embedded-process.ts'

const codec = StringCodec()
let servers: EmbeddedProcess

beforeAll(async () => {
  servers = await embeddedProcess()
})
afterAll(() => servers?.remove())

test('-version names what is inside', async () => {
  const { stdout } = await promisify(execFile)(servers.binary, ['-version'])
  expect(stdout).toMatch(/FerretDB@v1\.24\.2 .*nats-server\/v2@v2\.\d+\.\d+/)
})

test('it says ready, keeps quiet, and ends on TERM', async () => {
  await servers.start()
  await servers.withMongo((client) => client.db('t').command({ ping: 1 }))
  await servers.withNats((connection) => connection.flush())
  expect(await servers.end('SIGTERM')).toBe(0)
  expect(servers.stderr()).toBe('')
})

test('a second one on the same data, or at a taken port, says so and ends', async () => {
  await servers.start()
  const run = (folder: string) =>
    promisify(execFile)(servers.binary, servers.options(folder)).then(
      () => 'started',
      (error: { stderr: string }) => error.stderr,
    )
  expect(await run(servers.data)).toMatch(/in use by another process: stop it or name another -data\n$/)
  expect(await run(join(servers.data, 'other'))).toMatch(/address already in use\n$/)
  await servers.end('SIGTERM')
})

test('killed while writing, it has lost nothing that was acknowledged', async () => {
  const acknowledged = { documents: [] as string[], messages: [] as string[] }
  for (let round = 0; round < 3; round++) {
    await servers.start()
    const writing = Promise.allSettled([
      servers.withMongo(async (client) => {
        const items = client.db('crash').collection<{ _id: string }>('items')
        for (let n = 0; ; n++) {
          await items.insertOne({ _id: `${round}-${n}` })
          acknowledged.documents.push(`${round}-${n}`)
        }
      }),
      servers.withNats(async (connection) => {
        const manager = await connection.jetstreamManager()
        await manager.streams.add({ name: 'CRASH', subjects: ['crash.*'] })
        for (let n = 0; ; n++) {
          await connection.jetstream().publish(`crash.${round}`, codec.encode(`${round}-${n}`), {
            msgID: `${round}-${n}`,
            timeout: patience(10_000),
          })
          acknowledged.messages.push(`${round}-${n}`)
        }
      }),
    ])
    const before = {
      ...acknowledged,
      messages: acknowledged.messages.length,
      documents: acknowledged.documents.length,
    }
    await until(
      () =>
        acknowledged.messages.length - before.messages >= 200 &&
        acknowledged.documents.length - before.documents >= 100,
    )
    await servers.end('SIGKILL')
    await writing
  }

  await servers.start()
  const documents = await servers.withMongo((client) =>
    client.db('crash').collection<{ _id: string }>('items').find().toArray(),
  )
  const ids = new Set(documents.map(({ _id }) => _id))
  expect(acknowledged.documents.filter((id) => !ids.has(id))).toEqual([])
  const messages = await servers.withNats(async (connection) => {
    const manager = await connection.jetstreamManager()
    const { messages: count } = (await manager.streams.info('CRASH')).state
    await manager.consumers.add('CRASH', { durable_name: 'all', ack_policy: AckPolicy.None })
    const consumer = await connection.jetstream().consumers.get('CRASH', 'all')
    const contents: string[] = []
    for await (const message of await consumer.fetch({ max_messages: count, expires: patience(10_000) }))
      contents.push(codec.decode(message.data))
    return contents
  })
  expect(messages.length).toBe(new Set(messages).size)
  expect(acknowledged.messages.filter((id) => !messages.includes(id))).toEqual([])
  await servers.end('SIGTERM')
})

test('many that write at once all get through, and of the same _id one does', async () => {
  await servers.start()
  const wins = await servers.withMongo(async (client) => {
    const database = client.db('together')
    const insert = async (collection: string, numbers: readonly number[]) => {
      const documents = numbers.map((n) => ({ _id: `${n}` }))
      const { insertedCount } = await database
        .collection<{ _id: string }>(collection)
        .insertMany(documents, { ordered: false })
        .catch((error: unknown) => error as MongoBulkWriteError)
      return insertedCount
    }
    const rounds = Array.from({ length: 30 }, (_, n) => n)
    // Each document is tried in two commands, beside another one that nobody else tries.
    const writers = ['a', 'b', 'c', 'd'].flatMap((collection) =>
      [100, 200].map(async (own) => {
        let inserted = 0
        for (const n of rounds) inserted += await insert(collection, [n, own + n])
        return inserted
      }),
    )
    return (await Promise.all(writers)).reduce((sum, inserted) => sum + inserted, 0)
  })
  expect(wins).toBe(4 * 3 * 30)
  await servers.end('SIGTERM')
})

test('acknowledged work stays done and the rest is delivered again after a kill', async () => {
  await servers.start()
  await servers.withNats(async (connection) => {
    const manager = await connection.jetstreamManager()
    await manager.streams.add({ name: 'WORK', subjects: ['work.*'], retention: RetentionPolicy.Workqueue })
    await manager.consumers.add('WORK', {
      durable_name: 'worker',
      ack_policy: AckPolicy.Explicit,
      ack_wait: 1e9,
    })
    for (let n = 0; n < 20; n++) await connection.jetstream().publish('work.x', codec.encode(String(n)))
    const consumer = await connection.jetstream().consumers.get('WORK', 'worker')
    for (let n = 0; n < 10; n++) {
      const message = await consumer.next()
      if (n < 5) expect(await message!.ackAck()).toBe(true)
    }
  })
  await servers.end('SIGKILL')
  await servers.start()
  const rest = await servers.withNats(async (connection) => {
    const consumer = await connection.jetstream().consumers.get('WORK', 'worker')
    const contents = new Set<string>()
    while (contents.size < 15) {
      const message = await consumer.next({ expires: 5_000 })
      if (!message) break
      contents.add(codec.decode(message.data))
      message.ack()
    }
    return [...contents].map(Number).sort((a, b) => a - b)
  })
  expect(rest).toEqual(Array.from({ length: 15 }, (_, n) => n + 5))
  await servers.end('SIGTERM')
})
