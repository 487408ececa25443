/** Ids of dead letters say nothing of how many others there are. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runInProject, type MongoStore, openMongo } from '@stateeval/service-kit'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import { type LetterIds, openLetterIds } from '../src/letter-ids.ts'

let servers: Servers
const replicas: MongoStore[] = []
beforeAll(async () => {
  servers = await startServers()
  const name = namespace()
  for (let n = 0; n < 2; n++)
    replicas.push(openMongo({ uri: servers.mongoUri, namespace: name, service: 'evaluation' }))
})
afterAll(async () => {
  for (const mongo of replicas) await mongo.close()
  await servers?.stop()
})

test('a letter has the same id for all replicas, and another project can’t read it', async () => {
  const [one, other] = replicas.map(openLetterIds) as [LetterIds, LetterIds]
  const places = [1, 2, 3, 4711, Number.MAX_SAFE_INTEGER]
  // Both need the key at the same time.
  const ids = await Promise.all(
    places.map((place, n) => runInProject('acme', () => (n % 2 ? one : other).idOf(place))),
  )
  expect(new Set(ids).size).toBe(places.length)
  for (const [n, id] of ids.entries()) {
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(await runInProject('acme', () => one.placeOf(id))).toBe(places[n])
    expect(await runInProject('acme', () => other.placeOf(id))).toBe(places[n])
    expect(await runInProject('rival', () => one.placeOf(id))).toBeNull()
    expect(await one.placeOf(id)).toBeNull()
  }
  expect(await runInProject('rival', () => one.idOf(1))).not.toBe(ids[0])
})

test('what is no id is no place', async () => {
  const ids = openLetterIds(replicas[0]!)
  for (const text of ['', '17', 'f'.repeat(32), '0'.repeat(32), 'x'.repeat(32), 'ab'])
    expect(await ids.placeOf(text)).toBeNull()
})

test('ids of neighbours have no more in common than any', async () => {
  const ids = openLetterIds(replicas[0]!)
  const bits = async (place: number) => BigInt(`0x${await ids.idOf(place)}`)
  const differing = async (a: number, b: number) =>
    ((await bits(a)) ^ (await bits(b))).toString(2).replaceAll('0', '').length
  for (let place = 1; place < 50; place++) expect(await differing(place, place + 1)).toBeGreaterThan(25)
})
