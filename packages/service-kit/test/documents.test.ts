/** Documents on a real server: of several inserts one counts, of several changes none is lost. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import { type DocumentStore, openDocumentStore, type MongoStore, openMongo, write } from '../src/index.ts'

let servers: Servers
let mongo: MongoStore
let store: DocumentStore
beforeAll(async () => {
  servers = await startServers()
  mongo = openMongo({ uri: servers.mongoUri, namespace: namespace(), service: 'evaluation' })
  store = openDocumentStore(mongo)
})
afterAll(async () => {
  await mongo?.close()
  await servers?.stop()
})

test('a fixed document is stored once, with the very value that was given first', async () => {
  const documents = store.fixed<unknown>('fixed')
  const value = { $a: { 'b.c': [1, null, ''] } }
  expect(await Promise.all([documents.put('x/1', value), documents.put('x/1', write(value))])).toEqual(
    expect.arrayContaining([true, false]),
  )
  expect(await documents.put('x/1', 'late')).toBe(false)
  expect([await documents.get('x/1'), await documents.get('x/2')]).toEqual([value, null])
})

test('many are given in the order of their ids; an owner’s are dropped together', async () => {
  const documents = store.fixed<number>('many')
  const ids = Array.from({ length: 250 }, (_, n) => `o/${n}`)
  await Promise.all(ids.map((id, n) => documents.put(id, n)))
  await documents.put('o0', -1)
  expect(await documents.many(['o/249', 'nobody', 'o/0'])).toEqual([249, null, 0])
  expect(await documents.many(ids)).toEqual(ids.map((_, n) => n))
  await documents.remove('o/3')
  await documents.drop('o')
  expect([(await documents.many(ids)).some((one) => one !== null), await documents.get('o0')]).toEqual([
    false,
    -1,
  ])
})

test('changes of one document never overwrite each other', async () => {
  const documents = store.revised<{ n: number }>('revised')
  expect([await documents.create('a', { n: 0 }), await documents.create('a', { n: 9 })]).toEqual([
    true,
    false,
  ])
  await Promise.all(Array.from({ length: 8 }, () => documents.update('a', ({ n }) => ({ n: n + 1 }))))
  expect(await documents.get('a')).toEqual({ n: 8 })
  expect([await documents.update('a', () => null), await documents.update('b', () => ({ n: 1 }))]).toEqual([
    { n: 8 },
    null,
  ])
  await documents.replace('b', { n: 2 })
  await documents.replace('b', { n: 3 })
  expect(await documents.page(undefined, 1)).toEqual([{ id: 'a', value: { n: 8 } }])
  expect(await documents.page('a', 5)).toEqual([{ id: 'b', value: { n: 3 } }])
  expect([await documents.remove('b'), await documents.remove('b')]).toEqual([true, false])
})

test('of changes that several processes make at the same time none is lost, and one ends the work', async () => {
  // Connections of their own, as replicas have them: nothing but the server keeps them apart.
  const { db } = mongo
  const others = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const other = openMongo({ uri: servers.mongoUri, namespace: db.databaseName, service: 'evaluation' })
      await other.ping()
      return other
    }),
  )
  try {
    const replicas = [mongo, ...others].map((one) => openDocumentStore(one).revised<Work>('works'))
    interface Work {
      n: number
      ended?: string
    }
    for (let round = 0; round < 10; round++) {
      const id = `w${round}`
      await replicas[0]!.create(id, { n: 0 })
      await Promise.all(
        replicas.flatMap((one) =>
          Array.from({ length: 4 }, () => one.update(id, (work) => ({ ...work, n: work.n + 1 }))),
        ),
      )
      let winners = 0
      await Promise.all(
        replicas.map((one, at) =>
          one
            .update(id, (work) => {
              if (work.ended !== undefined) return null
              return { ...work, ended: `replica ${at}` }
            })
            .then((work) => {
              if (work?.ended === `replica ${at}`) winners++
            }),
        ),
      )
      const works = await Promise.all(replicas.map((one) => one.get(id)))
      expect(works.map((work) => work?.n)).toEqual([16, 16, 16, 16])
      expect(new Set(works.map((work) => work?.ended)).size).toBe(1)
      expect(winners).toBe(1)
    }
  } finally {
    await Promise.all(others.map((one) => one.close()))
  }
})

test('a change that was stored and not applied, as its process died, counts', async () => {
  const documents = store.revised<{ n: number }>('torn')
  await documents.create('a', { n: 1 })
  const { series } = (await mongo.collection<{ series: string }>('torn').findOne({ _id: 'a' }))!
  await mongo.collection('torn.revisions').insertOne({ _id: `${series}/1`, text: '{"n":2}' })
  expect(await documents.get('a')).toEqual({ n: 2 })
  expect(await documents.page(undefined, 1)).toEqual([{ id: 'a', value: { n: 2 } }])
  expect(await documents.update('a', ({ n }) => ({ n: n + 1 }))).toEqual({ n: 3 })
  // What comes after a removed document begins anew.
  await documents.remove('a')
  expect(await mongo.collection('torn.revisions').countDocuments({})).toBe(0)
  await documents.create('a', { n: 7 })
  expect(await documents.get('a')).toEqual({ n: 7 })
})
