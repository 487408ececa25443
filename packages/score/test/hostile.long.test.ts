import { expect, test } from '@jest/globals'
import type { Observation } from '@stateeval/contracts'
import { leastEffort } from '@stateeval/testkit/each-time'
import { compare, type ComparedOutcome, judgeInputs } from '../src/index.ts'
import { comparison, idOf, type Item, world } from './model.ts'

const many = (count: number, data: (n: number) => unknown, order: (n: number) => number = (n) => n): Item[] =>
  Array.from({ length: count }, (_, n) => ({ id: idOf(order(n)), source: 's', data: data(n) }))
const run = (items: Item[], result: unknown = {}): ComparedOutcome => ({
  result,
  world: world(items, { initial: [], created: items.map(({ id }) => id) }),
})
const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown
const within = <T>(effort: number, work: () => T) => {
  let value: T | undefined
  expect(leastEffort(() => (value = work()), effort)).toBeLessThanOrEqual(effort)
  return value
}
const says = (a: ComparedOutcome, b: ComparedOutcome) => {
  const compared = compare(a, b, comparison)
  return compared.equal ? [] : compared.differences.map((difference) => difference.says)
}

test('a found state ten times larger, or a huge RESULT, fails fast', () => {
  const expected = run(many(300, (n) => ({ title: `T${n}` })))
  const actual = run(many(3000, (n) => ({ title: `T${n}` })))
  expect(within(300, () => says(expected, actual))).toEqual([
    '3000 sessions are there at the end, expected 300',
  ])
  const huge = {
    text: 'id0000'.repeat(1_000_000),
    keys: Object.fromEntries(many(100_000, () => 1).map(({ id }) => [id, id])),
  }
  expect(within(2000, () => says(expected, { ...expected, result: huge }))).toHaveLength(2)
})

test('deep nesting is no stack overflow', () => {
  const state = many(1, () => deep(400))
  expect(says(run(state, deep(63)), run(state, deep(63)))).toEqual([])
  expect(says(run([], deep(400)), run([], deep(400)))).toEqual(['RESULT is nested more than 64 levels deep'])
  expect(says(run([], deep(100_000)), run([], deep(100_000)))[0]).toMatch(/nested deeper than 500 levels/)
})

test('thousands of equal items, and of different ones in another order, are paired in bounded time', () => {
  const twins = many(5000, () => ({ title: 'T' }))
  expect(within(3000, () => says(run(twins), run(twins.toReversed())))).toEqual([])
  const ordered = many(5000, (n) => ({ title: `T${n}` }))
  const shuffled = many(5000, (n) => ({ title: `T${(n * 7) % 5000}` }))
  expect(within(3000, () => says(run(ordered), run(shuffled)))).toEqual([])
})

test('pairings that are hard to find end within the bound', () => {
  // Items that point at each other in one cycle, against two cycles: alike everywhere near by.
  const ring = (sizes: number[]) => {
    let from = 0
    return sizes.flatMap((size) => {
      const start = from
      from += size
      return Array.from({ length: size }, (_, n) => ({
        id: idOf(start + n),
        source: 's',
        data: idOf(start + ((n + 1) % size)),
      }))
    })
  }
  expect(says(run(ring([6])), run(ring([6]).toReversed()))).toEqual([])
  expect(says(run(ring([6])), run(ring([3, 3]))).join()).toMatch(
    /ids are not used consistently|is <|expected/,
  )
  expect(within(5000, () => compare(run(ring([60])), run(ring([30, 30])), comparison).equal)).toBe(false)
  expect(
    within(2000, () => compare(run(ring([400])), run(ring([200, 200])), comparison, { left: 100_000 }).equal),
  ).toBe(false)
})

test('all inputs of a case share the bound, and a list is counted before it is walked', () => {
  const ring = (size: number, step: number) =>
    run(
      Array.from({ length: size }, (_, n) => ({
        ...{ id: idOf(n), source: 's' },
        data: idOf((n + step) % size),
      })),
    )
  const [one, other] = [ring(400, 1), ring(400, 3)]
  const seen = (outcome: ComparedOutcome) =>
    ({
      ending: { status: 'completed', result: outcome.result },
      world: outcome.world,
      faults: [],
    }) as unknown as Observation
  const inputs = Array.from({ length: 64 }, () => one)
  const verdict = within(20_000, () => judgeInputs(inputs, [...inputs.slice(1), other].map(seen), comparison))
  expect(verdict?.verdict).toBe('result_error')
  const list = Array.from({ length: 20_000_000 }, () => 1)
  expect(within(300, () => says(run([], list), run([], list)))?.[0]).toMatch(/more than 2000000 values/)
})

test('thousands of ids that begin alike take bounded time in a text of their beginning', () => {
  const alike = (text: string): ComparedOutcome => ({
    result: text,
    world: {
      ...world([], { initial: [], created: [] }),
      ids: { initial: Array.from({ length: 2000 }, (_, n) => `${'a'.repeat(8 + n)}Z`), created: [] },
    },
  })
  const text = 'a'.repeat(1_000_000)
  const unsure = within(20_000, () => says(alike(text), alike(text)))
  expect(unsure).toEqual(['the ids of both runs could not be matched within the bound on work'])
  expect(within(20_000, () => says(alike(text), alike(`${text}b`)))).toHaveLength(1)
  expect(says(alike(`${text.slice(0, 100)}Z`), alike(`${text.slice(0, 100)}Z`))).toEqual([])
})

test('prototype keys are ordinary keys', () => {
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":"x","hasOwnProperty":3}') as unknown
  expect(says(run([], odd), run([], JSON.parse(JSON.stringify(odd))))).toEqual([])
  expect(
    says(
      run([], odd),
      run([], JSON.parse('{"__proto__":{"a":2},"constructor":2,"toString":"x","hasOwnProperty":3}')),
    ),
  ).toEqual(['RESULT.__proto__.a is 2, expected 1'])
  expect(says(run([], odd), run([], {}))).toHaveLength(4)
})

test('numbers: integers exactly, others within the tolerance, what is no JSON number never', () => {
  const close = { ...comparison, relativeTolerance: 1e-6 }
  const numbers = (value: unknown) => run([{ id: idOf(0), source: 's', data: value }], value)
  expect(compare(numbers(0.5), numbers(0.5000001), close).equal).toBe(true)
  expect(compare(numbers(0.5), numbers(0.50001), close).equal).toBe(false)
  expect(compare(numbers(1_000_000_000), numbers(1_000_000_001), close).equal).toBe(false)
  expect(compare(numbers(0.5), numbers(0.5000001), comparison).equal).toBe(false)
  expect(compare(numbers(Number.NaN), numbers(Number.NaN), close).equal).toBe(false)
})
