/** What our changes to FerretDB promise: a query ends with its client, and none takes the server along. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  findServerProcess,
  readCpuTicks,
  readTicksWhenIdle,
  type Servers,
  startServers,
  until,
} from '@stateeval/testkit'
import { BSONRegExp, type Collection, Double, Long, MongoClient } from 'mongodb'

const isEmbedded = !process.env['MONGODB_URI']
const whenEmbedded = isEmbedded ? test : test.skip

let servers: Servers
let client: MongoClient
beforeAll(async () => {
  servers = await startServers()
  client = await new MongoClient(servers.mongoUri).connect()
})
afterAll(async () => {
  await client?.close()
  await servers?.stop()
})

whenEmbedded(
  'a query whose client is gone ends, before the next document',
  async () => {
    const texts: Collection = client.db('left').collection('texts')
    await texts.insertMany(Array.from({ length: 3000 }, (_, n) => ({ n, text: 'x'.repeat(20_000) })))
    const pid = await findServerProcess(servers.mongoUri)
    const before = await readCpuTicks(pid)
    const leaving = new AbortController()
    const query = texts
      .find({ $or: [{ text: { $regex: '(x{0,200}){4}y' } }] }, { signal: leaving.signal })
      .toArray()
    const ended = query.then(
      () => 'found',
      () => 'aborted',
    )
    // It would take minutes: the server is at it.
    await until(async () => (await readCpuTicks(pid)) > before + 50, { withinMs: 60_000, everyMs: 20 })
    leaving.abort()
    expect(await ended).toBe('aborted')
    await readTicksWhenIdle(pid)
  },
  120_000,
)

test('patterns that cannot be compiled are compared as texts', async () => {
  const patterns: Collection = client.db('patterns').collection('stored')
  const stored = [new BSONRegExp('('), new BSONRegExp('a', 'x'), new BSONRegExp('a', 'i')]
  await patterns.insertMany(stored.map((pattern) => ({ list: [pattern], pattern })))
  const count = async (filter: object) => (await patterns.find(filter, { bsonRegExp: true }).toArray()).length
  for (const pattern of stored) expect(await count({ list: { $eq: [pattern] } })).toBe(1)
  expect(await count({ list: { $eq: [new BSONRegExp('b')] } })).toBe(0)
})

test.each([
  [1, 1.5, -1],
  [2, 1.5, 1],
  [-1, -1.5, 1],
  [-2, -1.5, -1],
  [0, -0.5, 1],
  [5, 5.0, 0],
  [9_007_199_254_740_993n, 9_007_199_254_740_992, 1],
  [1n, 1e300, -1],
  [-1n, -1e300, 1],
  [9_223_372_036_854_775_807n, 9_223_372_036_854_775_808, -1],
  [-9_223_372_036_854_775_808n, -9_223_372_036_854_775_808, 0],
] as const)('an integer and a fraction are compared exactly: %s and %s', async (integer, fraction, order) => {
  const numbers: Collection = client.db('numbers').collection('stored')
  const number = Long.fromString(String(integer))
  const { insertedId } = await numbers.insertOne({ number })
  const isFound = async (operator: string) =>
    (await numbers.findOne({ _id: insertedId, number: { [operator]: new Double(fraction) } })) !== null
  expect([await isFound('$lt'), await isFound('$eq'), await isFound('$gt')]).toEqual(
    [-1, 0, 1].map((one) => one === order),
  )
})
