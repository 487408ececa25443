/** Pairs of documents of two collections: on a real server, and on servers without the command. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startServers, type Servers } from '@stateeval/testkit'
import { insertPairs, type DocumentInsertion } from '../src/insert-pairs.ts'
import { type MongoStore, openMongo } from '../src/mongo.ts'

let servers: Servers
let mongo: MongoStore
beforeAll(async () => {
  servers = await startServers()
  mongo = openMongo({ uri: servers.mongoUri, namespace: 'pairs', service: 'test' })
})
afterAll(async () => {
  await mongo?.close()
  await servers?.stop()
})
const into = (name: string, _id: string): DocumentInsertion => ({
  collection: mongo.collection(name),
  document: { _id },
})
const idsIn = async (name: string) =>
  (await mongo.collection(name).find().toArray()).map(({ _id }) => _id).sort()

test('documents of several collections go with one command, none after the first error', async () => {
  const inserts = [into('a', '1'), into('a', '2'), into('b', '1')]
  // A server may lack the command: then nothing is done.
  if (!(await mongo.insertAcross(inserts))) return expect(await idsIn('a')).toEqual([])
  expect([await idsIn('a'), await idsIn('b')]).toEqual([['1', '2'], ['1']])
  await expect(mongo.insertAcross([into('a', '3'), into('b', '1'), into('c', '1')])).rejects.toThrow('E11000')
  expect([await idsIn('a'), await idsIn('b'), await idsIn('c')]).toEqual([['1', '2', '3'], ['1'], []])
})

test('pairs that meet are all stored, also next to some that are stored already', async () => {
  const pair = insertPairs(mongo)
  const ids = Array.from({ length: 9 }, (_, n) => String(n))
  expect(await pair(into('d', '3'), into('e', '7'))).toEqual({})
  expect(await Promise.all(ids.map((id) => pair(into('d', id), into('e', id))))).toEqual(ids.map(() => ({})))
  expect([await idsIn('d'), await idsIn('e')]).toEqual([ids, ids])
})

test('without the command, a second document is stored after its first one only', async () => {
  const stored: string[] = []
  const of = (id: string, fault?: Error): DocumentInsertion => ({
    collection: {
      namespace: 'x.y',
      insertOne: async () => {
        if (fault) throw fault
        stored.push(id)
        return { acknowledged: true, insertedId: id }
      },
    },
    document: { _id: id },
  })
  const pair = insertPairs({ insertAcross: async () => false })
  const fault = new Error('full')
  expect(await pair(of('1'), of('2'))).toEqual({})
  await expect(pair(of('3', fault), of('4'))).rejects.toBe(fault)
  expect(await pair(of('5'), of('6', fault))).toEqual({ problem: fault })
  expect(stored).toEqual(['1', '2', '5'])
})
