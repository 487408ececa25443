/** What an Idempotency-Key promises where requests meet, fail and take long. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { namespace, type Servers, startServers } from '@stateeval/testkit'
import { openArtifacts } from '../src/artifacts.ts'
import type { AnyAnswer } from '../src/http/handler.ts'
import { createOnce } from '../src/http/idempotency.ts'
import { type MongoStore, openMongo } from '../src/mongo.ts'

let servers: Servers
let mongo: MongoStore
beforeAll(async () => {
  servers = await startServers()
  mongo = openMongo({ uri: servers.mongoUri, namespace: namespace(), service: 'toy' })
})
afterAll(async () => {
  await mongo?.close()
  await servers?.stop()
})

const createdIds: string[] = []
const makes = async (id: string): Promise<AnyAnswer> => {
  createdIds.push(id)
  return { status: 201, body: { id } }
}
const send = (
  key: string,
  request: unknown,
  create: (id: string) => Promise<AnyAnswer> = makes,
  secondsLater = 0,
) =>
  createOnce(
    { mongo, artifacts: openArtifacts(mongo), now: () => new Date(Date.now() + secondsLater * 1000) },
    { key, operation: 'make', request },
    create,
  )
const says = (answer: Promise<AnyAnswer>) =>
  answer.then(
    ({ body }) => body,
    (error: Error) => error.message,
  )

test('many at once with one key, some of which fail, never make two things: whoever makes it holds the key', async () => {
  for (let round = 0; round < 20; round++) {
    createdIds.length = 0
    const key = `many-${round}`
    let tries = 0
    const answers = Array.from({ length: 20 }, (_, n) =>
      says(send(key, n % 4, (id) => (tries++ % 2 === 0 ? Promise.reject(new Error('away')) : makes(id)))),
    )
    await Promise.all(answers)
    if (createdIds.length === 0) await send(key, 0)
    // The same again is answered, all others are refused: the key was never free beside an answer.
    const again = await Promise.all(
      [0, 1, 2, 3].map((request) => says(send(key, request, () => Promise.reject(new Error('made again'))))),
    )
    expect([createdIds.length, again.filter((answer) => typeof answer === 'object')]).toEqual([
      1,
      [{ id: createdIds[0] }],
    ])
    expect(again.filter((answer) => /an earlier request used/.test(String(answer)))).toHaveLength(3)
  }
})

test('who goes on for a request that takes long, and fails, leaves it its key', async () => {
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = send('slow', 1, async (id) => {
    begun.resolve()
    await slow.promise
    return makes(id)
  })
  await begun.promise
  expect(await says(send('slow', 1))).toMatch(/not answered yet/)
  expect(await says(send('slow', 1, () => Promise.reject(new Error('away')), 31))).toBe('away')
  expect(await says(send('slow', 2))).toMatch(/an earlier request used/)
  slow.resolve()
  const answer = await first
  expect(await send('slow', 1)).toEqual({ ...answer, headers: { 'idempotency-replayed': 'true' } })
})

test('a key that was taken by a clock of tomorrow is not held until then', async () => {
  const begun = Promise.withResolvers<void>()
  const never = send('ahead', 1, () => (begun.resolve(), new Promise(() => {})), 86_400)
  await begun.promise
  expect(await says(send('ahead', 1))).toMatchObject({ id: expect.any(String) })
  void never
})

test('an answer that is larger than a document is given again as it was', async () => {
  const body = { $text: 'x'.repeat(17 * 2 ** 20) }
  const large = async (): Promise<AnyAnswer> => ({ status: 201, body })
  expect((await send('large', 1, large)).body).toEqual(body)
  const again = await send('large', 1)
  expect([again.headers, again.body]).toEqual([{ 'idempotency-replayed': 'true' }, body])
})
