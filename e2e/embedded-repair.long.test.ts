/**
 * Files as a kill between any two steps has left them: the embedded servers start on them, lose nothing and
 * go on.
 */
import { globSync } from 'node:fs'
import { copyFile, cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { MongoClient } from 'mongodb'
import { AckPolicy, type NatsConnection, StringCodec } from 'nats'
import { buildBusNames as namesOf } from '../packages/service-kit/src/bus/names.ts'
import { type ConsumerLook, ensureConsumer, ensureStreams } from '../packages/service-kit/src/bus/streams.ts'
import { type EmbeddedProcess, embeddedProcess } from './embedded-process.ts'

let servers: EmbeddedProcess
let databases: string

beforeEach(async () => {
  servers = await embeddedProcess()
  databases = join(servers.data, 'mongodb')
  await mkdir(databases)
})
afterEach(() => servers?.remove())

const items = (client: MongoClient, database: string) =>
  client.db(database).collection<{ _id: string; k?: number; n?: number }>('items')
const idsOf = async (client: MongoClient, database: string) =>
  (await items(client, database).find().toArray()).map(({ _id }) => _id)

/** Everything that a service does with a database of this name works, and indexes hold. */
async function works(client: MongoClient, database: string): Promise<void> {
  const collection = items(client, database)
  await collection.insertOne({ _id: 'new', k: 1 })
  await expect(collection.insertOne({ _id: 'new', k: 2 })).rejects.toMatchObject({ code: 11_000 })
  await collection.createIndex({ k: 1 }, { unique: true })
  await expect(collection.insertOne({ _id: 'newer', k: 1 })).rejects.toMatchObject({ code: 11_000 })
  expect((await collection.indexes()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['_id_', 'k_1']),
  )
  await collection.drop()
  await collection.insertOne({ _id: 'new' })
  await client.db(database).dropDatabase()
  await collection.insertOne({ _id: 'newest' })
  expect(await idsOf(client, database)).toEqual(['newest'])
}

const table = 'items_3a79338f'
const settings = (...indexes: string[]) =>
  JSON.stringify({
    uuid: '0b8d1f0e-3f5c-4a83-9a55-0a3b3d0f6a11',
    indexes: indexes.map((name) => ({
      name,
      key: [{ Field: name === '_id_' ? '_id' : 'n', Descending: false }],
      unique: true,
    })),
    cappedSize: 0,
    cappedDocuments: 0,
  })
const document = (id: string, n: number) =>
  JSON.stringify({ $s: { p: { _id: { t: 'string' }, n: { t: 'int' } }, $k: ['_id', 'n'] }, _id: id, n })
const insert = (id: string, n: number) => `INSERT INTO "${table}" VALUES ('${document(id, n)}')`
const update = (...indexes: string[]) =>
  `UPDATE _ferretdb_collections SET settings = '${settings(...indexes)}' WHERE table_name = '${table}'`

/**
 * The life of a collection in the single statements that FerretDB itself commits, with the ids that are
 * stored after each.
 */
const life: [statement: string, ids: string[]][] = [
  ['PRAGMA journal_mode = wal', []],
  [
    `CREATE TABLE _ferretdb_collections (name TEXT NOT NULL UNIQUE CHECK(name != ''), table_name TEXT NOT NULL UNIQUE CHECK(table_name != ''), settings TEXT NOT NULL CHECK(settings != '')) STRICT`,
    [],
  ],
  [`CREATE TABLE "${table}" (_ferretdb_sjson TEXT NOT NULL CHECK(_ferretdb_sjson != '')) STRICT`, []],
  [`INSERT INTO _ferretdb_collections VALUES ('items', '${table}', '{}')`, []],
  [`CREATE UNIQUE INDEX "${table}__id_" ON "${table}" (_ferretdb_sjson->"_id")`, []],
  [update('_id_'), []],
  [insert('a', 1), ['a']],
  [`CREATE UNIQUE INDEX "${table}_n_1" ON "${table}" (_ferretdb_sjson->"n")`, ['a']],
  [update('_id_', 'n_1'), ['a']],
  [insert('b', 2), ['a', 'b']],
  [`DROP INDEX "${table}_n_1"`, ['a', 'b']],
  [update('_id_'), ['a', 'b']],
  [`DELETE FROM _ferretdb_collections WHERE name = 'items'`, []],
  [`DROP TABLE "${table}"`, []],
]

/** A database's files after these statements, as a process that is killed leaves them. */
async function killedAfter(name: string, statements: readonly string[]): Promise<void> {
  const file = join(databases, `${name}.sqlite`)
  const source = join(servers.data, 'source.sqlite')
  const database = new DatabaseSync(source, { enableDoubleQuotedStringLiterals: true })
  try {
    for (const statement of statements) database.exec(statement)
    if (statements.length === 0) await writeFile(source, '')
    for (const companion of ['', '-wal', '-shm'])
      await copyFile(`${source}${companion}`, `${file}${companion}`).catch(() => undefined)
  } finally {
    database.close()
    for (const companion of ['', '-wal', '-shm']) await rm(`${source}${companion}`, { force: true })
  }
}

test('killed after any statement of a collection’s life', async () => {
  const statements = life.map(([statement]) => statement)
  for (let n = 0; n <= life.length; n++) await killedAfter(`cut-${n}`, statements.slice(0, n))
  await servers.start()
  await servers.withMongo(async (client) => {
    for (let n = 0; n <= life.length; n++)
      expect([n, await idsOf(client, `cut-${n}`)]).toEqual([n, life[n - 1]?.[1] ?? []])
    await Promise.all(Array.from({ length: life.length + 1 }, (_, n) => works(client, `cut-${n}`)))
  })
})

test('of documents that share an _id, since a kill had left their collection without its index, the first stays', async () => {
  const statements = life.slice(0, 4).map(([statement]) => statement)
  await killedAfter('shared', [...statements, insert('a', 1), insert('b', 2), insert('a', 3)])
  await servers.start()
  expect(servers.stderr()).toMatch(/shared.*items.*removed 1 documents/)
  await servers.withMongo(async (client) => {
    expect(await items(client, 'shared').find().toArray()).toEqual([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2 },
    ])
    await works(client, 'shared')
  })
})

test('the log of a database may end anywhere: what remains is a state that it had', async () => {
  await servers.start()
  await servers.withMongo(async (client) => {
    const collection = items(client, 'whole')
    await collection.insertOne({ _id: 'a' })
    await collection.createIndex({ n: 1 })
    await collection.insertMany([{ _id: 'b' }, { _id: 'c' }])
    await client.db('whole').collection('others').insertOne({})
    await client.db('whole').collection('others').drop()
    await collection.dropIndex('n_1')
    await collection.insertOne({ _id: 'd' })
  })
  await servers.end('SIGKILL')
  const file = join(databases, 'whole.sqlite')
  const log = await readFile(`${file}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  const frames = (log.length - 32) / frame
  expect(frames).toBeGreaterThan(20)
  const ends = Array.from({ length: frames + 1 }, (_, n) => [
    32 + n * frame,
    ...(n < frames ? [32 + n * frame + 1000] : []),
  ]).flat()
  for (const end of [0, 20, ...ends]) {
    await copyFile(file, join(databases, `ends-${end}.sqlite`))
    await writeFile(join(databases, `ends-${end}.sqlite-wal`), log.subarray(0, end))
  }
  await servers.start()
  await servers.withMongo(async (client) => {
    const had = [[], ['a'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']].map((ids) => JSON.stringify(ids))
    let before = 0
    for (const end of ends) {
      const state = had.indexOf(JSON.stringify(await idsOf(client, `ends-${end}`)))
      expect([end, state]).toEqual([end, Math.max(state, before)])
      before = state
    }
    expect(before).toBe(had.length - 1)
    await Promise.all([0, 20, ...ends].map((end) => works(client, `ends-${end}`)))
  })
})

test('what a dropped database left beside itself does not become part of the next one', async () => {
  await killedAfter('dropped', [...life.slice(0, 7).map(([statement]) => statement)])
  await rm(join(databases, 'dropped.sqlite'))
  expect(await readdir(databases)).toEqual(['dropped.sqlite-shm', 'dropped.sqlite-wal'])
  await servers.start()
  expect(await readdir(databases)).toEqual([])
  await servers.withMongo((client) => works(client, 'dropped'))
})

test('a file that is no database is named, with what to do', async () => {
  await writeFile(join(databases, 'damaged.sqlite'), Buffer.alloc(8192, 'x'))
  await expect(servers.start()).rejects.toThrow(
    /cannot read the database "damaged" in .*damaged\.sqlite: .*; move the file away or restore/,
  )
})

test('a stream whose creation or deletion was cut short is whole or gone', async () => {
  const config = { name: 'S', subjects: ['s.*'] }
  const folder = join(servers.data, 'nats/jetstream/$G/streams/S')
  const codec = StringCodec()
  const readStream = () =>
    servers.withNats(async (connection) => {
      const manager = await connection.jetstreamManager()
      const info = await manager.streams.info('S').catch(() => null)
      if (!info) return 'none'
      const consumers: string[] = []
      for await (const { name } of manager.consumers.list('S')) consumers.push(name)
      return `${info.state.messages} messages, ${consumers.join()}`
    })
  await servers.start()
  await servers.withNats(async (connection) => {
    const manager = await connection.jetstreamManager()
    await manager.streams.add(config)
    await manager.consumers.add('S', { durable_name: 'c', ack_policy: AckPolicy.Explicit })
    await connection.jetstream().publish('s.x', codec.encode('1'))
  })
  await servers.end('SIGKILL')
  await cp(folder, join(servers.data, 'copy'), { recursive: true })

  /** Starts on the stream's folder without these files. */
  const startWithout = async (...files: string[]) => {
    await servers.end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    await cp(join(servers.data, 'copy'), folder, { recursive: true })
    for (const file of files) await rm(join(folder, file))
    await servers.start()
    return readStream()
  }
  expect(await startWithout()).toBe('1 messages, c')
  expect(await startWithout('meta.sum')).toBe('1 messages, c')
  expect(await startWithout('obs/c/meta.sum')).toBe('1 messages, c')
  expect(await startWithout('obs/c/meta.inf')).toBe('1 messages, ')
  expect(await startWithout('meta.inf')).toBe('none')
  await servers.withNats(async (connection) => (await connection.jetstreamManager()).streams.add(config))
  expect(await readStream()).toBe('0 messages, ')
})

test('a consumer that stands ahead of its stream, as after a full disk, is replaced', async () => {
  const names = namesOf('wedged')
  const subject = 'jobs.scoring.score'
  let before: ConsumerLook | undefined
  const ensure = async (nc: NatsConnection) => {
    const { look, replaced } = await ensureConsumer(
      await nc.jetstreamManager(),
      names,
      subject,
      10_000,
      before,
    )
    before = replaced === null ? look : undefined
    return replaced !== null
  }
  const work = async (nc: NatsConnection, jobs: string[], expected = jobs.length) => {
    for (const job of jobs) await nc.jetstream().publish(`${names.kind(subject).replace('*', job)}`)
    const consumer = await nc.jetstream().consumers.get(names.jobs, names.consumer(subject))
    let done = 0
    for await (const message of await consumer.fetch({ max_messages: expected, expires: 5000 })) {
      await message.ackAck()
      if (++done === expected) break
    }
    return done
  }
  await servers.start()
  await servers.withNats(async (nc) => {
    await ensureStreams(await nc.jetstreamManager(), 'wedged', names)
    expect(await ensure(nc)).toBe(false)
    expect(await work(nc, ['a', 'b', 'c'])).toBe(3)
    expect(await ensure(nc)).toBe(false)
  })
  await servers.end('SIGKILL')
  // The stream has lost what it wrote last, its consumer has not.
  const [messages] = globSync(join(servers.data, '**/streams', names.jobs, 'msgs'))
  await rm(messages!, { recursive: true })
  await mkdir(messages!)
  await servers.start()
  await servers.withNats(async (nc) => {
    expect(await work(nc, ['d'])).toBe(0)
    // Killed before it wrote where it stands, it is not ahead, and a second look finds what it left out.
    expect((await ensure(nc)) || (await ensure(nc))).toBe(true)
    expect(await ensure(nc)).toBe(false)
    // The job that was queued before its repair too.
    expect(await work(nc, ['e'], 2)).toBe(2)
  })
})
