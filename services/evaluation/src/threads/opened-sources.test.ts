/** A thread opens each specification once while builds take turns, and keeps no more than it has room for. */
import { expect, test } from '@jest/globals'
import type { TaskSource } from '@stateeval/program'
import { createSourceCache } from './opened-sources.ts'
import type { SourceOpening } from '@stateeval/jobs'

const openings = (...bytes: number[]) => {
  const opened: string[] = []
  const sourceOf = createSourceCache(({ key }) => {
    opened.push(key)
    return { targets: [], key } as unknown as TaskSource
  })
  const take = (n: number) =>
    sourceOf({ key: `s${n}`, specification: new Uint8Array(bytes[n]!) } as unknown as SourceOpening)
  return { opened, take }
}

test('builds that take turns open their specifications once', () => {
  const { opened, take } = openings(1000, 2000, 0)
  const first = [0, 1, 2].map(take)
  expect([0, 1, 2, 2, 1, 0].map(take)).toEqual([0, 1, 2, 2, 1, 0].map((n) => first[n]))
  expect(opened).toEqual(['s0', 's1', 's2'])
})
test('of large ones the newest is kept', () => {
  const { opened, take } = openings(5e6, 13e6, 5e6)
  for (const n of [0, 1, 1, 0, 2, 2, 0]) take(n)
  expect(opened).toEqual(['s0', 's1', 's2', 's0'])
})
