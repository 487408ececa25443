/** The world of a model holds the laws of worlds. */
import { describe, expect, test } from '@jest/globals'
import { completeLimits } from '@stateeval/sandbox'
import { replayLaw, sendRaw, worldLaws } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { createModelWorld } from '../backend/index.ts'
import { createBuckets } from './buckets.ts'

const id = 'world@buckets'
const createWorld = () => Promise.resolve(createModelWorld(createBuckets(), id))
const put = (operation: string, args: object, title: string) => ({
  operation,
  args: { ...args, body: { title, size: 3 } },
})
const initial = {
  calls: [
    put('put_bucket', { id: 'b' }, 'First'),
    put('put_collection', { bucket_id: 'b', id: 'c' }, 'Second'),
    put('add_record', { bucket_id: 'b', collection_id: 'c' }, 'Third'),
  ],
}
const records = '/v1/buckets/b/collections/c/records'
const send = (title: string) => ({ data: { title, size: 4 } })

worldLaws('a modelled world', createWorld, {
  initial: [initial, {}],
  wrong: { calls: 'none' },
  change: { method: 'POST', path: records, body: send('Fourth') },
})
replayLaw('a modelled world', createWorld, {
  initial,
  entry: fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'TRACE'),
    path: fc.constantFrom(
      records,
      `${records}/r`,
      '/v1/buckets/b',
      '/v1/buckets/b/collections/c',
      '/nothing',
      '//[',
    ),
    body: fc.constantFrom('', '{', JSON.stringify(send('One')), JSON.stringify(send('\uE000id:x@1\uE001'))),
  }),
  send: (open, entry) => sendRaw(open, entry),
})

describe('a modelled world', () => {
  const open = (world: object = initial, seed = 's') =>
    createModelWorld(createBuckets(), id).open(world as never, completeLimits(), seed)

  test('observes ids that it issued, and items that are gone', async () => {
    const run = await open()
    const [first] = (await run.observe()).world.ids.initial
    const added = await run.call!('add_record', {
      bucket_id: 'b',
      collection_id: 'c',
      body: { title: 'Fourth' },
    })
    const { data } = JSON.parse(added.content) as { data: { id: string } }
    await run.call!('delete_bucket', { id: 'b' })
    const { world, log } = await run.observe()
    expect(world).toMatchObject({ state: { items: [] }, ids: { initial: [first], created: [data.id] } })
    expect(world.gone.map((item) => item.id)).toEqual(['b', 'c', first, data.id])
    expect(log.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', records, 200],
      ['DELETE', '/v1/buckets/b', 200],
    ])
    expect(await run.call!('delete_bucket', {})).toEqual({
      content: 'delete_bucket needs the argument id',
      error: true,
    })
    expect(await run.call!('nothing', {})).toMatchObject({ error: true })
  })

  test('ids of initial items follow from the items, others from the seed', async () => {
    const idsOf = async (seed: string) => {
      const run = await open(initial, seed)
      await run.call!('add_record', { bucket_id: 'b', collection_id: 'c', body: { title: 'Fourth' } })
      return (await run.observe()).world.ids
    }
    const [one, other] = [await idsOf('1'), await idsOf('2')]
    expect(one.initial).toEqual(other.initial)
    expect(one.created).not.toEqual(other.created)
  })

  test('initial calls that fail, or are none of the model, name their place', async () => {
    const get = { operation: 'get_bucket', args: { id: 'missing' } }
    await expect(open({ calls: [...initial.calls, get] })).rejects.toThrow(
      'world.calls[3]: get_bucket answers 404',
    )
    await expect(open({ calls: [{ operation: 'nothing', args: {} }] })).rejects.toThrow('world.calls[0]')
  })

  test('a run stores a mebibyte at most, and its bodies have a limit', async () => {
    const run = await open()
    const statuses: string[] = []
    for (let n = 0; n < 6; n++)
      statuses.push(
        (
          await sendRaw(run, {
            method: 'POST',
            path: records,
            body: JSON.stringify(send('x'.repeat(250_000))),
          })
        ).slice(9, 12),
      )
    expect(statuses).toEqual(['200', '200', '200', '200', '413', '413'])
    const large = { method: 'POST', path: records, body: JSON.stringify(send('x'.repeat(270_000))) }
    expect(await sendRaw(run, large)).toMatch(/^HTTP\/1.1 413 /)
    expect((await run.observe()).faults).toEqual([])
  })
})
