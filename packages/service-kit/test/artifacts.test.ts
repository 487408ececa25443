import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import fc from 'fast-check'
import { Binary } from 'mongodb'
import { type PayloadParts, type JobPayload, sha256 } from '@stateeval/contracts'
import {
  type ProjectArtifacts,
  openArtifacts,
  runInProject,
  type MongoStore,
  openMongo,
  runSealed,
} from '../src/index.ts'

let servers: Servers
let mongo: MongoStore
let artifacts: ProjectArtifacts
beforeAll(async () => {
  servers = await startServers()
  mongo = openMongo({ uri: servers.mongoUri, namespace: namespace(), service: 'toy' })
  artifacts = openArtifacts(mongo, { maxInline: 1000 })
})
afterAll(async () => {
  await mongo?.close()
  await servers?.stop()
})
/** Bytes that don't compress, the same each time. */
const bytes = (length: number) =>
  createHash('shake256', { outputLength: length || 1 })
    .update('seed')
    .digest()
    .subarray(0, length)

test.each([0, 1, 70_000, 2 ** 20 + 1])('%d bytes come back as they were', async (length) => {
  const hash = await artifacts.put(bytes(length))
  expect(hash).toBe(sha256(bytes(length)))
  expect(Buffer.compare((await artifacts.get(hash)) as Buffer, bytes(length))).toBe(0)
  expect(await artifacts.put(bytes(length))).toBe(hash)
})

test('two that put the same bytes at once both succeed', async () => {
  const hashes = await Promise.all([1, 2, 3].map(() => artifacts.put(bytes(2 ** 18 + 7))))
  expect(new Set(hashes).size).toBe(1)
})

test('a value that was packed part by part comes back whole', async () => {
  const large = await artifacts.putJson('x'.repeat(5000))
  const parts = {
    object: {
      list: { list: [{ inline: 1 }, { artifact: large, bytes: 5002 }, { list: [] }] },
      of: { inline: { a: null } },
    },
  }
  expect(await artifacts.unpack(parts)).toEqual({ list: [1, 'x'.repeat(5000), []], of: { a: null } })
})

test('what is stored while sealed comes back for all, and is in the database encrypted', async () => {
  const stored = async () => {
    const documents = await mongo.shared('sealed-artifacts').find({}).toArray()
    return Buffer.concat(documents.map(({ data }) => (data as Binary | undefined)?.buffer ?? Buffer.alloc(0)))
  }
  await runInProject('sealed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (random) => {
        const bytes = Buffer.concat([Buffer.from('an oracle'), random])
        const hash = await runSealed(true, () => artifacts.put(bytes))
        expect(hash).toBe(sha256(bytes))
        expect(Buffer.compare((await artifacts.get(hash)) as Buffer, bytes)).toBe(0)
        expect(await runSealed(true, () => artifacts.put(bytes))).toBe(hash)
        expect((await stored()).includes(gzipSync(bytes, { level: 1 }).subarray(10))).toBe(false)
        expect(await mongo.shared('artifacts').countDocuments()).toBe(0)
      }),
      { numRuns: 30 },
    )
    const long = bytes(2 ** 20 + 9)
    const hash = await runSealed(true, () => artifacts.put(long))
    expect(Buffer.compare((await artifacts.get(hash)) as Buffer, long)).toBe(0)
    // Pieces can't change places, nor be read in another project.
    const first = await mongo.shared<{ data: Binary }>('sealed-artifacts').findOne({ _id: `${hash}:0` })
    await mongo
      .shared<{ data: Binary }>('sealed-artifacts')
      .updateOne({ _id: `${hash}:1` }, { $set: { data: first!.data } })
    await expect(artifacts.get(hash)).rejects.toThrow(/is damaged/)
    expect(await runSealed(true, () => artifacts.put(long))).toBe(hash)
    expect(Buffer.compare((await artifacts.get(hash)) as Buffer, long)).toBe(0)
  })
})

test('what others store, too, is theirs: an artifact that was sealed is then there openly', async () => {
  await runInProject('both', async () => {
    const hash = await runSealed(true, () => artifacts.put(bytes(100)))
    expect(await artifacts.put(bytes(100))).toBe(hash)
    expect(await mongo.shared('artifacts').findOne({ _id: `${hash}:0` })).not.toBeNull()
    expect(await runSealed(true, () => artifacts.put(bytes(100)))).toBe(hash)
  })
})

test('what is packed while sealed names artifacts alone, and comes back whole', async () => {
  await runInProject('packed', async () => {
    const value = { oracle: 'of a task', parts: [1, null, 'x'.repeat(2000)] }
    const parts: PayloadParts = {
      object: { kind: { inline: 'closed' }, list: { list: [{ inline: value }, { inline: 2 }] } },
    }
    const [payload, packed] = await runSealed(true, () =>
      Promise.all([artifacts.pack(value), artifacts.packParts(parts)]),
    )
    expect(JSON.parse(payload.text)).toEqual({ artifact: sha256(JSON.stringify(value)) })
    expect(JSON.stringify(packed)).not.toMatch(/inline|closed|oracle/)
    expect(await artifacts.unpack(JSON.parse(payload.text) as JobPayload)).toEqual(value)
    expect(await artifacts.unpack(packed)).toEqual({ kind: 'closed', list: [value, 2] })
    expect(await artifacts.packParts(parts)).toBe(parts)
  })
})

test('nothing is null, and what is damaged is never handed out: it is named, and whole once it is stored again', async () => {
  expect(await artifacts.get('0'.repeat(64))).toBeNull()
  const precious = bytes(2 ** 20 + 5)
  const hash = await artifacts.put(precious)
  const chunks = mongo.db.collection<{ _id: string }>('artifacts')
  const harm = [
    () => chunks.updateOne({ _id: `${hash}:0` }, { $set: { data: new Binary(Buffer.from('tampered')) } }),
    () => chunks.updateOne({ _id: `${hash}:0` }, { $set: { data: new Binary(gzipSync('of another')) } }),
    () => chunks.deleteOne({ _id: `${hash}:1` }),
  ]
  for (const damage of harm) {
    await damage()
    await expect(artifacts.get(hash)).rejects.toThrow(
      new RegExp(`${hash} is damaged .* import or create the resource that names it again`),
    )
    expect(await artifacts.put(precious)).toBe(hash)
    expect(Buffer.compare((await artifacts.get(hash)) as Buffer, precious)).toBe(0)
  }
  // Nobody reads on behind the chunks that are there, however many the first one claims.
  await chunks.updateOne({ _id: `${hash}:0` }, { $set: { of: Number.MAX_SAFE_INTEGER } })
  expect(Buffer.compare((await artifacts.get(hash)) as Buffer, precious)).toBe(0)
})

test('payloads are inline while they are small', async () => {
  const pack = async (value: unknown) => JSON.parse((await artifacts.pack(value)).text) as JobPayload
  const small = await pack({ a: [1, 'ä'] })
  expect(small).toEqual({ inline: { a: [1, 'ä'] } })
  const large = await pack({ text: 'ä'.repeat(600) })
  expect(large).toEqual({ artifact: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await artifacts.unpack(large)).toEqual({ text: 'ä'.repeat(600) })
  expect(await pack(undefined)).toEqual({ inline: null })
  await expect(artifacts.unpack({ artifact: 'f'.repeat(64) })).rejects.toThrow(/no artifact/)
})
