/** The same seed and log give the same bytes: over HTTP with headers and all, and as tools. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { JsonObject } from '@stateeval/contracts'
import { completeLimits } from '@stateeval/sandbox'
import { callTool, replayLaw, sendRaw } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { createSessionWorld, type OpenSessionWorld } from '../world.ts'
import { startDatabase, type TestDatabase } from './service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
})
afterAll(() => database.stop())
let worlds = 0
const newWorld = () =>
  createSessionWorld({ mongodb: database.client, prefix: `replay${++worlds}`, poolSize: 2 })

const initial = { items: [{ source: 'clinic', type: 'settings', data: { title: 'first' } }] }
const source = fc.constantFrom('clinic', 'portal', 'x/y', 'ab')
const type = fc.constantFrom('settings', 'group', 'none')
const data = fc.constantFrom<JsonObject>({ title: 'a' }, { title: 'b', n: [1, 2.5] }, { at: 0 }, {})
/** Of the ids that were told so far, this one, if there are so many. */
const which = fc.nat({ max: 9 })
const idIn = (replies: readonly string[], at: number) =>
  [...replies.join().matchAll(/[67][0-9a-f]{23}/g)].map(([id]) => id).at(at) ?? 'none'

const call = fc.record({
  tool: fc.constantFrom(
    'listSessions',
    'addSession',
    'querySessions',
    'updateSession',
    'deleteSession',
    'getSession',
    'fetchSessions',
    'rm',
  ),
  source,
  type,
  data,
  which,
  odd: fc.constantFrom('', '', '', 'missing', 'unknown'),
})
const takes: Record<string, readonly string[]> = {
  listSessions: [],
  addSession: ['data'],
  querySessions: ['field', 'value'],
  updateSession: ['id', 'data'],
  deleteSession: ['id'],
  getSession: ['id'],
  fetchSessions: ['filter'],
}

replayLaw('session-service, called as tools', () => Promise.resolve(newWorld()), {
  initial,
  entry: call,
  send(open, { tool, source, type, data, which, odd }, replies) {
    const values = {
      id: idIn(replies, which),
      data,
      filter: { 'data.title': 'a' },
      field: 'data.title',
      value: 'a',
    }
    const named = (takes[tool] ?? []).map((name) => [name, values[name as keyof typeof values]])
    const args = { source, type, ...(Object.fromEntries(named) as JsonObject) }
    if (odd === 'missing') delete (args as Partial<typeof args>).type
    return callTool(open, tool, odd === 'unknown' ? { ...args, more: 1 } : args)
  },
})

replayLaw('session-service, over HTTP', () => Promise.resolve(newWorld()), {
  initial,
  entry: fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
    path: fc.constantFrom(
      '',
      '/ID',
      '/query?field=data.title&value=a',
      '/query?field=',
      '/query/fetch',
      '/ID/more',
      '/%ff',
    ),
    source,
    type,
    which,
    body: fc.constantFrom(
      '',
      '{"title":"a"}',
      '{"at":ISODate(),"own":ObjectId()}',
      '{broken',
      '{"data.title":{"$gt":"a"}}',
      '{"data.title":{"$no":1}}',
    ),
  }),
  send: (open, { method, path, source, type, which, body }, replies) =>
    sendRaw(open, {
      method,
      path: `/api/sessions/${encodeURIComponent(source)}/${type}${path.replace('ID', idIn(replies, which))}`,
      body,
    }),
})

test('another seed gives other ids; the clock starts at a fixed time and advances by call', async () => {
  const world = newWorld()
  const added = async (seed: string) => {
    const open: OpenSessionWorld = await world.open(initial, completeLimits(), seed)
    const replies = [
      await callTool(open, 'addSession', { source: 'clinic', type: 'group', data: { n: 1 } }),
      await callTool(open, 'getSession', { source: 'clinic', type: 'group', id: 'none' }),
    ]
    await open.close()
    return replies
  }
  const [one, other] = [await added('1'), await added('2')]
  expect(one[0]).not.toBe(other[0])
  expect(one[1]).toBe(other[1])
  expect(JSON.parse(one[1]!)).toEqual({
    content: expect.stringContaining('"timestamp":"2026-01-01T00:00:02.000+00:00","status":404'),
    error: true,
  })
  await world.close()
})

test('what is no call of an API says what to change', async () => {
  const world = newWorld()
  const open = await world.open(initial, completeLimits(), 'seed')
  expect(await callTool(open, 'rm', {})).toContain('there is no tool \\"rm\\"; available: listSessions, ')
  expect(await callTool(open, 'listSessions', { source: 'a' })).toContain(
    'listSessions needs type; it has source, type',
  )
  expect(await callTool(open, 'listSessions', { source: {}, type: 'group' })).toContain(
    'source must be a string',
  )
  expect((await open.observe()).requests).toBe(0)
  await open.close()
  await world.close()
})
