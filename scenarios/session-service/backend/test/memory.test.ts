/** A run in memory answers, byte for byte, what the same run in the database answers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Json } from '@stateeval/contracts'
import { completeLimits } from '@stateeval/sandbox'
import { sendRaw } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { parseDocument } from '../document/parse.ts'
import { toQuery } from '../filter.ts'
import { createStore } from '../store.ts'
import { RunStore } from '../world/run-store.ts'
import { createSessionWorld, type OpenSessionWorld } from '../world.ts'
import { startDatabase, type TestDatabase } from './service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())

const long = process.env['STATEEVAL_LONG'] === '1'
const initial: Json = {
  items: [
    { source: 'web', type: 'settings', data: { a: 'x', n: 1 } },
    { source: 'web', type: 'group', data: { a: ['x', 2] } },
  ],
}
const name = fc.constantFrom('a', 'a', 'n', 'b', '_id', 'x.y', '$x', '%', '0', '')
const scalar = fc.oneof(
  fc.constantFrom('"x"', '"x"', '1', '1.0', '2', '2.5', '-0.0', 'true', 'null', '9007199254740993', '1e300'),
  fc.constantFrom('"\\ud800"', 'NaN', 'ISODate()', 'ObjectId()', '{"$numberDecimal":"1"}', '"\\u0000"'),
  fc.string({ maxLength: 3, unit: 'grapheme' }).map((text) => JSON.stringify(text)),
)
const documentOf = (value: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(name, value), { maxLength: 3 })
    .map((fields) => `{${fields.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`)
const listOf = (value: fc.Arbitrary<string>) =>
  fc.array(value, { maxLength: 3 }).map((items) => `[${items.join(',')}]`)
const value = fc.oneof(scalar, scalar, listOf(fc.oneof(scalar, documentOf(scalar))), documentOf(scalar))
const data = documentOf(value)
const field = fc.constantFrom(
  ...['data.a', 'data.a', 'data.n', 'data.a.a', 'data.a.0', 'data.b.a', 'data._id', 'data.%', 'a', 'source'],
  ...['type', 'id', 'data', 'data.', 'checksum', 'data.x.y', 'data.$x'],
)
const condition = fc.oneof(
  scalar,
  fc
    .tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$ne', '$in', '$exists'), scalar)
    .map(([operator, operand]) => `{"${operator}":${operand}}`),
)
const filter = fc
  .array(fc.tuple(field, condition), { maxLength: 2 })
  .map((all) => `{${all.map(([path, text]) => `${JSON.stringify(path)}:${text}`).join(',')}}`)
/** Of the ids that were told so far, this one, if there are so many. */
const id = fc.nat({ max: 5 }).map((at) => `#${at}#`)
const request = fc.oneof(
  data.map((body) => ({ method: 'POST', path: '', body })),
  data.map((body) => ({ method: 'POST', path: '', body })),
  fc.record({ method: fc.constant('PUT'), path: id, body: data }),
  fc.record({ method: fc.constantFrom('GET', 'DELETE'), path: id, body: fc.constant('') }),
  fc.constant({ method: 'GET', path: '', body: '' }),
  fc.tuple(field, fc.constantFrom('x', '1', '')).map(([path, text]) => ({
    method: 'GET',
    path: `query?field=${encodeURIComponent(path)}&value=${text}`,
    body: '',
  })),
  filter.map((body) => ({ method: 'POST', path: 'query/fetch', body })),
)
const entry = fc.record({
  request,
  place: fc.constantFrom('web/settings', 'web/settings', 'web/group', 'app/settings'),
})

type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never

async function replies(open: OpenSessionWorld, log: readonly Entry[]) {
  const texts: string[] = []
  for (const {
    request: { method, path, body },
    place,
  } of log) {
    const ids = [...texts.join().matchAll(/[67][0-9a-f]{23}/g)].map(([text]) => text)
    const at = path.replace(/#(\d)#/, (_, n: string) => ids.at(Number(n)) ?? 'none')
    texts.push(await sendRaw(open, { method, path: `/api/sessions/${place}${at && `/${at}`}`, body }))
  }
  const observation = await open.observe()
  await open.close()
  return { texts, observation }
}

test('in memory and in the database, the same requests have the same answers', async () => {
  const worlds = [undefined, 0, 700].map((memoryBytes, i) =>
    createSessionWorld({
      mongodb: database.client,
      prefix: `memory${i}`,
      poolSize: 1,
      ...(memoryBytes !== undefined && { memoryBytes }),
    }),
  )
  let seed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 12 }), async (log) => {
      seed++
      const [inMemory, inDatabase, moved] = await Promise.all(
        worlds.map(async (world) => replies(await world.open(initial, completeLimits(), String(seed)), log)),
      )
      expect(inMemory).toEqual(inDatabase)
      expect(moved).toEqual(inDatabase)
    }),
    { seed: 20_26, endOnFailure: true, numRuns: long ? 5000 : 40 },
  )
  await Promise.all(worlds.map((world) => world.close()))
}, 3_600_000)

const fresh = { now: () => new Date(0), newId: () => '0'.repeat(24) }
const scalars = ['"x"', '"y"', '1', '1.5', '2', 'true', 'null']
const within = ['{"b":1}', '{"b":"x"}', '{"0":"x"}', '{"b":null}', '{"b":{"b":1}}']
const lists = ['["x",2]', '[[1],null]', '[1.5,{"b":1}]', '[]', '["x","x"]']
/** Values of a, and paths that are answered in memory where a has these. */
const cases: [string[], string[]][] = [
  [
    [...scalars, ...within, ...lists],
    ['data.a', 'a'],
  ],
  [
    [...scalars, ...within],
    ['data.a.b', 'data.a.0', 'data.b', 'data.a.b.b'],
  ],
]

test('every operator finds in memory what it finds in the database', async () => {
  const db = database.client.db('filters')
  const different: string[] = []
  for (const [at, [values, paths]] of cases.entries()) {
    const items = values.map((text, i) => ({
      id: `60${String(i).padStart(22, '0')}`,
      source: 'web',
      type: 'settings' as const,
      data: parseDocument(`{"a":${text}}`, fresh),
    }))
    const store = createStore(db, fresh.newId, () => `sessions${at}`)
    await store.fill(items)
    // Without a database, what memory can't answer rejects.
    const memory = new RunStore(items, fresh.newId, () => Promise.reject(new Error('moved')))
    for (const path of paths)
      for (const operator of ['', '$eq', '$gt', '$gte', '$lt', '$lte'])
        for (const operand of ['"x"', '1', '1.5', 'true']) {
          // Bounds of texts are the database's.
          if (/^\$[gl]/.test(operator) && !operand.startsWith('1')) continue
          const text = `{"${path}":${operator ? `{"${operator}":${operand}}` : operand}}`
          const query = toQuery(parseDocument(text, fresh), 'web')
          const [ours, theirs] = await Promise.all(
            [memory, store].map(async (one) => (await one.find('settings', query, 5000)).map(({ id }) => id)),
          )
          if (String(ours) !== String(theirs)) different.push(text)
        }
  }
  expect(different).toEqual([])
  await db.dropDatabase()
})
