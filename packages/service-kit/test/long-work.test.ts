/** Long work on a real server: one begin and one end count, whoever comes at the same time. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import { type LongWork, openLongWork, type MongoStore, openMongo } from '../src/index.ts'

interface Begun {
  _id: string
  by: number
}
interface End {
  how: string
}
let servers: Servers
let mongo: MongoStore
let works: LongWork<Begun, End, number>
beforeAll(async () => {
  servers = await startServers()
  mongo = openMongo({ uri: servers.mongoUri, namespace: namespace(), service: 'scoring' })
  works = openLongWork(mongo, 'works')
})
afterAll(async () => {
  await mongo?.close()
  await servers?.stop()
})
const open = async () => (await works.open()).map(({ _id }) => _id)

test('it is queued, told of, ended; then it stays as it is', async () => {
  expect(await works.find('w')).toBeNull()
  await works.begin({ _id: 'w', by: 1 })
  expect(await works.find('w')).toEqual({ start: { _id: 'w', by: 1 } })
  await works.progress('w', 3)
  expect(await works.find('w')).toEqual({ start: { _id: 'w', by: 1 }, progress: 3 })
  expect([await open(), await works.ended('w')]).toEqual([['w'], null])
  expect(await works.end('w', { how: 'well' })).toEqual({ how: 'well' })
  await works.progress('w', 4)
  expect(await works.end('w', { how: 'late' })).toEqual({ how: 'well' })
  expect([await works.find('w'), await open()]).toEqual([
    { start: { _id: 'w', by: 1 }, end: { how: 'well' } },
    [],
  ])
})

test('of many that begin and end it at once, one counts for all', async () => {
  const begun = await Promise.all(Array.from({ length: 12 }, (_, by) => works.begin({ _id: 'raced', by })))
  const ends = await Promise.all(Array.from({ length: 12 }, (_, n) => works.end('raced', { how: String(n) })))
  expect([new Set(begun.map(({ by }) => by)).size, new Set(ends.map(({ how }) => how)).size]).toEqual([1, 1])
})

test('what was asked for again after its end is not open, nor is a mark without work', async () => {
  await works.begin({ _id: 'w', by: 2 })
  await mongo.collection('works.open').insertOne({ _id: 'torn' })
  expect(await open()).toEqual([])
})

test('pages go on after an id', async () => {
  for (const _id of ['p1', 'p2', 'p3']) await works.begin({ _id, by: 0 })
  await works.end('p3', { how: 'well' })
  expect((await works.list('p1', 2)).map(({ start, end }) => [start._id, end?.how])).toEqual([
    ['p2', undefined],
    ['p3', 'well'],
  ])
})
