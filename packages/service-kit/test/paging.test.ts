/** A page ends at its limit or where it is full, and always gets a reader on. */
import { expect, test } from '@jest/globals'
import { fillPage } from '../src/index.ts'

test.each([
  ['nothing', [], 5, [], false],
  ['fewer than the limit', ['a', 'b'], 5, ['a', 'b'], false],
  ['exactly the limit', ['a', 'b'], 2, ['a', 'b'], false],
  ['more than the limit', ['a', 'b', 'c'], 2, ['a', 'b'], true],
  ['more than a page may hold', ['a'.repeat(5), 'b'.repeat(5), 'c'], 5, ['a'.repeat(5)], true],
  ['a first item that is larger than a page', ['a'.repeat(99), 'b'], 5, ['a'.repeat(99)], true],
])('%s', async (_, all, limit, items, more) => {
  expect(await fillPage(all, limit, 10)).toEqual({ items, more })
})

test('no item is asked for that can’t be told', async () => {
  let count = 0
  async function* endless() {
    for (;;) {
      count++
      yield 'x'.repeat(1000)
    }
  }
  const { items } = await fillPage(endless(), 500, 10_000)
  expect([items.length, count]).toEqual([9, 10])
})
