import { expect, test } from '@jest/globals'
import { createClockIds, createIds } from '../ids.ts'

test('ids of a seed grow, are pinned, and initial ones stand before all others', () => {
  const initial = Array.from({ length: 1000 }, createIds('seed', 'initial'))
  const added = Array.from({ length: 1000 }, createIds('seed', 'added'))
  const all = [...initial, ...added]
  expect(all).toEqual([...all].sort())
  expect(new Set(all).size).toBe(2000)
  expect(all.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true)
  expect(initial.slice(0, 2)).toEqual(['6013fae11cfdd89ef1ff107b', '6013fae11cfdd89f4fbca3bf'])
})

test('ids of a clock grow though it stands still or goes back', () => {
  let now = 1_700_000_000_000
  const next = createClockIds(Buffer.from('abcde'), () => new Date((now -= 400)))
  const ids = Array.from({ length: 5000 }, next)
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(5000)
})
