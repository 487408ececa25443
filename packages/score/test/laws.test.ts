import { expect, test } from '@jest/globals'
import { pickForRun } from '@stateeval/testkit/run-length'
import fc from 'fast-check'
import { compare, type ComparedOutcome } from '../src/index.ts'
import { bruteForce, comparison, idOf, type Item, outcomes, renamed, world } from './model.ts'

const runs = { seed: 20261121, numRuns: pickForRun(1000, 2000) }
/** Pairs that are compared by trying every bijection, too. */
const pairCount = pickForRun(2000, 6000)
const equal = (a: ComparedOutcome, b: ComparedOutcome) => compare(a, b, comparison).equal
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const reversedKeys = (value: unknown): unknown =>
  value === null || typeof value !== 'object'
    ? value
    : Array.isArray(value)
      ? value.map(reversedKeys)
      : Object.fromEntries(
          Object.entries(value)
            .map(([key, item]) => [key, reversedKeys(item)])
            .reverse() as [string, unknown][],
        )
const items = (outcome: ComparedOutcome) => (outcome.world.state as { items: Item[] }).items

test('every run equals itself', () => {
  fc.assert(
    fc.property(outcomes, (run) => equal(run, copy(run))),
    runs,
  )
})

test('renaming created ids, shuffling items and reordering keys change nothing', () => {
  fc.assert(
    fc.property(outcomes, fc.infiniteStream(fc.nat()), (run, order) => {
      const other = renamed(copy(run), (id) => `zz${id}`)
      other.world.state = {
        items: items(other)
          .map((item) => [order.next().value, item] as const)
          .sort(([a], [b]) => a - b)
          .map(([, item]) => reversedKeys(item)),
      }
      other.world.ids.created.reverse()
      other.world.gone.reverse()
      other.result = reversedKeys(other.result)
      return equal(run, other)
    }),
    runs,
  )
})

test('agrees with trying every bijection, on equal, nearly equal and unlike runs', () => {
  let same = 0
  fc.assert(
    fc.property(
      outcomes,
      outcomes,
      fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      (one, two, swaps, near) => {
        // Near runs differ in which id stands where: the hard part.
        const created = one.world.ids.created
        const swap = (id: string) => created[swaps[created.indexOf(id)] ?? 0] ?? id
        const other = near ? usesRenamed(copy(one), swap) : two
        const expected = bruteForce(one, other)
        if (expected) same++
        expect(equal(one, other)).toBe(expected)
      },
    ),
    { ...runs, numRuns: pairCount },
  )
  expect(same).toBeGreaterThan(pairCount / 20)
})

test('one changed value always fails', () => {
  const places = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
    value !== null && typeof value === 'object'
      ? [
          path,
          ...Object.keys(value).flatMap((key) =>
            places((value as Record<string, unknown>)[key], [
              ...path,
              Array.isArray(value) ? Number(key) : key,
            ]),
          ),
        ]
      : [path]
  fc.assert(
    fc.property(
      outcomes,
      fc.nat(),
      fc.constantFrom<unknown>('other', 7, 0.25, false, null, [], {}, idOf(98)),
      (run, nth, value) => {
        const other = copy(run)
        const document = { result: other.result, items: items(other) }
        const all = places(document).filter((path) => path.length > 1)
        const path = all[nth % all.length]
        if (!path) return
        let parent: unknown = document
        for (const key of path.slice(0, -1)) parent = (parent as Record<string | number, unknown>)[key]
        const last = path[path.length - 1] as string | number
        if (JSON.stringify((parent as Record<string | number, unknown>)[last]) === JSON.stringify(value))
          return
        Object.defineProperty(parent as object, last, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        })
        expect(equal(run, other)).toBe(false)
      },
    ),
    runs,
  )
})

test('every failure is explained, without raw ids', () => {
  fc.assert(
    fc.property(outcomes, outcomes, (one, two) => {
      const compared = compare(one, two, comparison)
      if (compared.equal) return
      expect(compared.differences.length).toBeGreaterThan(0)
      const text = JSON.stringify(compared.differences)
      for (const id of [...one.world.ids.created, ...one.world.ids.initial]) {
        if (two.world.ids.created.includes(id) || two.world.ids.initial.includes(id))
          expect(text).not.toContain(id)
      }
    }),
    runs,
  )
})

/** Ids where they are used are changed; items keep their own. */
function usesRenamed(run: ComparedOutcome, change: (id: string) => string): ComparedOutcome {
  const swapped = renamed(run, change)
  for (const [n, item] of items(run).entries()) item.data = items(swapped)[n]?.data
  for (const [n, deletedItem] of run.world.gone.entries()) deletedItem.last = swapped.world.gone[n]?.last
  return { ...run, result: swapped.result }
}

const item = (n: number, data: unknown = { title: 'T' }): Item => ({ id: idOf(n), source: 's', data })
const live = (ids: WorldIds, list: Item[], result: unknown): ComparedOutcome => ({
  result,
  world: world(list, ids),
})
interface WorldIds {
  initial: string[]
  created: string[]
}

test('swapping independent adds passes', () => {
  const ids = { initial: [], created: [idOf(0), idOf(1)] }
  const one = live(ids, [item(0, { title: 'A' }), item(1, { title: 'B' })], { a: idOf(0), b: idOf(1) })
  const two = live(ids, [item(0, { title: 'B' }), item(1, { title: 'A' })], { a: idOf(1), b: idOf(0) })
  expect(equal(one, two)).toBe(true)
  expect(equal(one, { ...two, result: one.result })).toBe(false)
})

test('another item’s id fails, also where both have equal content', () => {
  const initial = { initial: [idOf(0), idOf(1)], created: [] }
  expect(
    equal(
      live(initial, [item(0), item(1)], { id: idOf(0) }),
      live(initial, [item(0), item(1)], { id: idOf(1) }),
    ),
  ).toBe(false)
  const created = { initial: [], created: [idOf(0), idOf(1)] }
  const both = [item(0), item(1)]
  expect(
    equal(live(created, both, { a: idOf(0), b: idOf(1) }), live(created, both, { a: idOf(0), b: idOf(0) })),
  ).toBe(false)
  expect(equal(live(created, both, { a: idOf(0) }), live(created, both, { a: idOf(1) }))).toBe(true)
})

test('an id that the world did not issue is an ordinary string', () => {
  const ids = { initial: [], created: [idOf(0)] }
  expect(equal(live(ids, [item(0)], { id: idOf(0) }), live(ids, [item(0)], { id: idOf(5) }))).toBe(false)
  expect(equal(live(ids, [item(0)], { id: idOf(5) }), live(ids, [item(0)], { id: idOf(5) }))).toBe(true)
  expect(
    equal(
      live(ids, [item(0)], { id: idOf(5) }),
      live({ initial: [], created: [idOf(5)] }, [item(5)], { id: idOf(5) }),
    ),
  ).toBe(false)
})

test('a deleted item’s id is known by what it was last', () => {
  const afterDeletion = (title: string): ComparedOutcome => ({
    result: { id: idOf(0) },
    world: world([], { initial: [], created: [idOf(0)] }, [{ id: idOf(0), last: { title } }]),
  })
  expect(equal(afterDeletion('A'), afterDeletion('A'))).toBe(true)
  expect(equal(afterDeletion('A'), afterDeletion('B'))).toBe(false)
  expect(equal(afterDeletion('A'), live({ initial: [], created: [idOf(0)] }, [], { id: idOf(0) }))).toBe(
    false,
  )
  // Added and deleted again, and not spoken of: leaves nothing behind.
  expect(equal(live({ initial: [], created: [] }, [], {}), { ...afterDeletion('A'), result: {} })).toBe(true)
})
