import { expect, test } from '@jest/globals'
import type { JsonValue } from '@stateeval/contracts'
import { operations } from '../operations/index.ts'
import { openWorld, type SessionWorld } from '../state.ts'

const apply = (id: string, world: SessionWorld, args: Record<string, JsonValue>) =>
  operations.find((operation) => operation.id === id)!.apply(world, args)
const at = { source: 'research_lab', type: 'settings' }
const world = openWorld({
  items: [
    { ...at, data: { title: 'one', tags: ['x', 'y'], deep: { size: 1 } } },
    { ...at, data: { title: 'two', tags: [], deep: { size: 2 } } },
  ],
})
const [one, two] = world.items.map(({ id }) => id) as [string, string]
const status = (transition: ReturnType<typeof apply>) => (transition.ok ? 200 : transition.error.status)

test('adding content that is there answers its id and stores nothing; key order and numbers as text matter as to the service', () => {
  const again = apply('addSession', world, {
    ...at,
    data: { title: 'one', tags: ['x', 'y'], deep: { size: 1 } },
  })
  expect(again).toMatchObject({ ok: true, output: { id: one }, world })
  const asText = apply('addSession', world, {
    ...at,
    data: { title: 'one', tags: ['x', 'y'], deep: { size: '1' } },
  })
  expect(asText).toMatchObject({ ok: true, output: { id: one } })
  const reordered = apply('addSession', world, {
    ...at,
    data: { tags: ['x', 'y'], title: 'one', deep: { size: 1 } },
  })
  expect(reordered.ok && reordered.output).toEqual({ id: 'created-0' })
  const elsewhere = apply('addSession', world, {
    ...at,
    source: 'other',
    data: { title: 'one', tags: ['x', 'y'], deep: { size: 1 } },
  })
  expect(elsewhere.ok && elsewhere.output).toEqual({ id: 'created-0' })
})

test.each([
  ['a bad type', 'addSession', { ...at, type: 'chat', data: {} }, 400],
  ['a short source', 'addSession', { ...at, source: 'ab', data: {} }, 400],
  ['a list as body', 'addSession', { ...at, data: [1] }, 500],
  ['an unknown id', 'updateSession', { ...at, id: 'nothing', data: {} }, 404],
  ['the id of another place', 'deleteSession', { source: 'other', type: at.type, id: one }, 404],
  ['a field with a dollar', 'querySessions', { ...at, field: '$where', value: 'x' }, 400],
  ['a short source when reading', 'listSessions', { source: 'ab', type: at.type }, 200],
])('%s in %s', (_, id, args, expected) => expect(status(apply(id, world, args))).toBe(expected))

test('an update to content that another session has is a 500, to its own is none', () => {
  const { data } = world.items[1]!
  expect(status(apply('updateSession', world, { ...at, id: one, data }))).toBe(500)
  expect(status(apply('updateSession', world, { ...at, id: two, data }))).toBe(200)
})

test('a query matches texts and elements of lists, never numbers', () => {
  const idsFor = (field: string, value: string) => {
    const transition = apply('querySessions', world, { ...at, field, value })
    return transition.ok ? (transition.output as { id: string }[]).map(({ id }) => id) : null
  }
  expect(idsFor('data.title', 'one')).toEqual([one])
  expect(idsFor('data.tags', 'y')).toEqual([one])
  expect(idsFor('data.deep.size', '1')).toEqual([])
  expect(idsFor('type', 'settings')).toEqual([one, two])
  expect(idsFor('title', 'one')).toEqual([])
})

test('a deleted session is gone, with its last content kept for comparison', () => {
  const deletion = apply('deleteSession', world, { ...at, id: one })
  expect(deletion).toMatchObject({
    ok: true,
    world: { items: [{ id: two }], gone: [{ id: one, last: { data: { title: 'one' } } }] },
  })
  expect(deletion.ok && status(apply('deleteSession', deletion.world, { ...at, id: one }))).toBe(404)
})

test('fetch takes MongoDB operators', () => {
  const fetching = apply('fetchSessions', world, { ...at, filter: { 'data.deep.size': { $gte: 2 } } })
  expect(fetching.ok && fetching.output).toMatchObject([{ id: two }])
  expect(status(apply('fetchSessions', world, { ...at, filter: { 'data.deep.size': { $near: 2 } } }))).toBe(
    400,
  )
})
