import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createApp } from '../app.ts'
import { createIds } from '../ids.ts'
import { createClaims } from '../world/claims.ts'
import { startDatabase, type TestDatabase } from './service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())

test('equal sessions that come at once, to two processes, become one', async () => {
  const db = database.client.db('concurrent')
  const newApp = () => createApp({ db, newId: createIds(randomBytes(16), 'added'), now: () => new Date() })
  const [one, two] = [newApp(), newApp()]
  const add = async (n: number, content: number) =>
    await (n % 2 ? one : two).inject({
      method: 'POST',
      url: '/api/sessions/clinic/settings',
      payload: JSON.stringify({ content }),
    })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => add(n, n % 4)))
  expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map((answer) => answer.body)).size).toBe(4)
  expect(await db.collection('settings').countDocuments()).toBe(4)
  await Promise.all([one.close(), two.close()])
})

test('of several deletes at once, one finds the session', async () => {
  const db = database.client.db('concurrent_deletes')
  const app = createApp({ db, newId: createIds(randomBytes(16), 'added'), now: () => new Date() })
  for (let n = 0; n < 10; n++) {
    const { id } = (
      await app.inject({ method: 'POST', url: '/api/sessions/clinic/settings', payload: `{"n":${n}}` })
    ).json<{
      id: string
    }>()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => app.inject({ method: 'DELETE', url: `/api/sessions/clinic/settings/${id}` })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404, 404])
  }
  await app.close()
})

test('of several who claim databases at once, each gets its own; expired claims are taken over once', async () => {
  const db = database.client.db('claims')
  let now = 1_000_000
  const clock = { shared: async () => now, local: () => now }
  const claimants = ['a', 'b', 'c'].map((owner) => createClaims(db, owner, clock))
  const first = await Promise.all(claimants.flatMap((claims) => [claims.take(), claims.take()]))
  const numbers = first.map(({ number }) => number)
  expect(new Set(numbers).size).toBe(6)
  expect(Math.max(...numbers)).toBeLessThanOrEqual(6)
  // None renews in this test's time, so that after a minute all are free, and their owners know it.
  now += 61_000
  expect(claimants.map((claims) => claims.valid())).toEqual([false, false, false])
  const late = ['d', 'e', 'f', 'g'].map((owner) => createClaims(db, owner, clock))
  const second = await Promise.all(late.map((claims) => claims.take()))
  const again = second.map(({ number }) => number)
  expect(new Set(again).size).toBe(4)
  expect(Math.max(...again)).toBeLessThanOrEqual(6)
  // Whoever had a number before has another generation of it.
  const texts = [...first, ...second].map(({ number, generation }) => `${number}:${generation}`)
  expect(new Set(texts).size).toBe(texts.length)
  await Promise.all([...claimants, ...late].map((claims) => claims.close()))
  // Given back, all are free at once.
  const last = createClaims(db, 'last', clock)
  expect([(await last.take()).number, (await last.take()).number]).toEqual([1, 2])
  await last.close()
})

test('a process whose clock is days ahead or behind takes nobody’s database, and keeps its own', async () => {
  const db = database.client.db('jumping-clocks')
  const one = createClaims(db, 'one')
  expect((await one.take()).number).toBe(1)
  const trueNow = Date.now
  const other = createClaims(db, 'other')
  try {
    for (const days of [2, -2]) {
      Date.now = () => trueNow() + days * 86_400_000
      expect([(await other.take()).number, one.valid(), other.valid()]).toEqual([
        days > 0 ? 2 : 3,
        true,
        true,
      ])
    }
  } finally {
    Date.now = trueNow
  }
  await one.close()
  await other.close()
})
