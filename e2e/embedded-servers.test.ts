/** The embedded servers themselves: they may be killed at any time, and nothing that they acknowledged is lost. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { MongoClient } from 'mongodb'
import { AckPolicy, connect, StringCodec } from 'nats'
import { freePort } from '@stateeval/testkit'
import { localBinary } from '../deploy/local/build.ts'

const codec = StringCodec()
let binary: string
let data: string
let ports: { mongodb: number; nats: number }
let child: ChildProcess | undefined

beforeAll(async () => {
  binary = await localBinary({ progress: (text) => process.stderr.write(`${text}\n`) })
  data = await mkdtemp(join(tmpdir(), 'stateeval-embedded-'))
  ports = { mongodb: await freePort(), nats: await freePort() }
}, 600_000)
afterAll(async () => {
  child?.kill('SIGKILL')
  await rm(data, { recursive: true, force: true })
})

const options = (folder = data) => ['-data', folder, '-mongodb', `127.0.0.1:${ports.mongodb}`, '-nats', `127.0.0.1:${ports.nats}`]

async function start(): Promise<{ said: () => string }> {
  child = spawn(binary, options(), { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  await Promise.race([once(child.stdout!, 'data'), once(child, 'exit').then(() => Promise.reject(new Error(said)))])
  return { said: () => said }
}

async function end(signal: NodeJS.Signals): Promise<number | null> {
  const running = child!
  const gone = once(running, 'exit') as Promise<[number | null]>
  running.kill(signal)
  return (await gone)[0]
}

const withMongo = async <T>(work: (client: MongoClient) => Promise<T>): Promise<T> => {
  const client = new MongoClient(`mongodb://127.0.0.1:${ports.mongodb}`, { serverSelectionTimeoutMS: 5_000 })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
const withNats = async <T>(work: (connection: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T> => {
  const connection = await connect({ servers: `127.0.0.1:${ports.nats}`, reconnect: false })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

test('-version names what is inside', async () => {
  const { stdout } = await promisify(execFile)(binary, ['-version'])
  expect(stdout).toMatch(/FerretDB@v1\.24\.2 .*nats-server\/v2@v2\.\d+\.\d+/)
})

test('it says ready, keeps quiet, and ends on TERM', async () => {
  const { said } = await start()
  await withMongo((client) => client.db('t').command({ ping: 1 }))
  await withNats((connection) => connection.flush())
  expect(await end('SIGTERM')).toBe(0)
  expect(said()).toBe('')
})

test('a second one on the same data, or at a taken port, says so and ends', async () => {
  await start()
  const run = (folder: string) =>
    promisify(execFile)(binary, options(folder)).then(
      () => 'started',
      (error: { stderr: string }) => error.stderr,
    )
  expect(await run(data)).toMatch(/in use by another process: stop it or name another -data\n$/)
  expect(await run(join(data, 'other'))).toMatch(/address already in use\n$/)
  await end('SIGTERM')
})

test('killed while writing, it has lost nothing that was acknowledged', async () => {
  const acknowledged = { documents: [] as string[], messages: [] as string[] }
  for (let round = 0; round < 3; round++) {
    await start()
    const writing = Promise.allSettled([
      withMongo(async (client) => {
        const items = client.db('crash').collection<{ _id: string }>('items')
        for (let n = 0; ; n++) {
          await items.insertOne({ _id: `${round}-${n}` })
          acknowledged.documents.push(`${round}-${n}`)
        }
      }),
      withNats(async (connection) => {
        const manager = await connection.jetstreamManager()
        await manager.streams.add({ name: 'CRASH', subjects: ['crash.*'] })
        for (let n = 0; ; n++) {
          await connection.jetstream().publish(`crash.${round}`, codec.encode(`${round}-${n}`), { msgID: `${round}-${n}`, timeout: 2_000 })
          acknowledged.messages.push(`${round}-${n}`)
        }
      }),
    ])
    const before = { ...acknowledged, messages: acknowledged.messages.length, documents: acknowledged.documents.length }
    while (acknowledged.messages.length - before.messages < 200 || acknowledged.documents.length - before.documents < 100) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await end('SIGKILL')
    await writing
  }

  await start()
  const stored = await withMongo((client) => client.db('crash').collection<{ _id: string }>('items').find().toArray())
  const ids = new Set(stored.map(({ _id }) => _id))
  expect(acknowledged.documents.filter((id) => !ids.has(id))).toEqual([])
  const messages = await withNats(async (connection) => {
    const manager = await connection.jetstreamManager()
    const { messages: count } = (await manager.streams.info('CRASH')).state
    await manager.consumers.add('CRASH', { durable_name: 'all', ack_policy: AckPolicy.None })
    const consumer = await connection.jetstream().consumers.get('CRASH', 'all')
    const found: string[] = []
    for await (const message of await consumer.fetch({ max_messages: count, expires: 10_000 })) found.push(codec.decode(message.data))
    return found
  })
  expect(messages.length).toBe(new Set(messages).size)
  expect(acknowledged.messages.filter((id) => !messages.includes(id))).toEqual([])
  await end('SIGTERM')
}, 60_000)

test('acknowledged work stays done and the rest is delivered again after a kill', async () => {
  await start()
  await withNats(async (connection) => {
    const manager = await connection.jetstreamManager()
    await manager.streams.add({ name: 'WORK', subjects: ['work.*'], retention: 'workqueue' as never })
    await manager.consumers.add('WORK', { durable_name: 'worker', ack_policy: AckPolicy.Explicit, ack_wait: 1e9 })
    for (let n = 0; n < 20; n++) await connection.jetstream().publish('work.x', codec.encode(String(n)))
    const consumer = await connection.jetstream().consumers.get('WORK', 'worker')
    for (let n = 0; n < 10; n++) {
      const message = await consumer.next()
      if (n < 5) expect(await message!.ackAck()).toBe(true)
    }
  })
  await end('SIGKILL')
  await start()
  const rest = await withNats(async (connection) => {
    const consumer = await connection.jetstream().consumers.get('WORK', 'worker')
    const found = new Set<string>()
    while (found.size < 15) {
      const message = await consumer.next({ expires: 5_000 })
      if (!message) break
      found.add(codec.decode(message.data))
      message.ack()
    }
    return [...found].map(Number).sort((a, b) => a - b)
  })
  expect(rest).toEqual(Array.from({ length: 15 }, (_, n) => n + 5))
  await end('SIGTERM')
})
