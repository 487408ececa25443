import { expect, test } from '@jest/globals'
import { pairOutcomes, compare, type ComparedOutcome } from '../src/index.ts'
import { comparison, idOf, type Item, world } from './model.ts'

const session = (n: number, title: string, more: object = {}): Item => ({
  id: idOf(n),
  source: 's',
  data: { title, ...more },
})
const run = (items: Item[], result: unknown, initial = 2): ComparedOutcome => {
  const ids = [0, 1, 2, 3, 4].map((n) => idOf(n))
  return { result, world: world(items, { initial: ids.slice(0, initial), created: ids.slice(initial) }) }
}
const says = (a: ComparedOutcome, b: ComparedOutcome) => {
  const compared = compare(a, b, comparison)
  return compared.equal ? [] : compared.differences.map((difference) => difference.says)
}
const [A, B, C, D] = [session(0, 'A'), session(1, 'B'), session(2, 'C'), session(3, 'D')]

test('what became of items is said by name', () => {
  expect(says(run([A], {}), run([A, B], {}))).toEqual([
    'the session titled "B" should have been deleted but is still there',
  ])
  expect(says(run([A, B], {}), run([A], {}))).toEqual([
    'the session titled "B" should still be there but is gone',
  ])
  expect(says(run([A, B, C], {}), run([A, B], {}))).toEqual([
    'the session titled "C" should have been added but is missing',
  ])
  expect(says(run([A, B], {}), run([A, B, C], {}))).toEqual([
    'the session titled "C" was added but should not be there',
  ])
  expect(says(run([A, B], {}), run([A, session(1, 'X')], {}))).toEqual([
    'data.title of the session titled "B" is "X", expected "B"',
  ])
  expect(
    says(run([A, B, session(2, 'C', { note: 1 })], {}), run([A, B, session(3, 'C', { note: 2 })], {})),
  ).toEqual(['data.note of the session titled "C" is 2, expected 1'])
})

test('RESULT is said with paths, numbers of elements and ids as tokens', () => {
  expect(says(run([A, B], { listing: [A, B, A] }), run([A, B], { listing: [A, B] }))).toEqual([
    'RESULT.listing has 2 sessions, expected 3',
  ])
  expect(says(run([A, B], { listing: [A, B] }), run([A, B], { listing: [B, A] }))).toEqual([
    'RESULT.listing has the expected elements in another order',
  ])
  expect(says(run([A, B], { a: 1, b: 2 }), run([A, B], { a: 1, c: 2 }))).toEqual([
    'RESULT has no "b"',
    'RESULT has "c", which is not expected',
  ])
  expect(
    says(
      run([A, B, C, D], { added: idOf(2) }),
      run([A, B, session(3, 'C'), session(2, 'D')], { added: idOf(2) }),
    ),
  ).toEqual([
    'RESULT.added is <id 2 (created)>, the id of the session titled "D"; expected <id 1 (created)>, the id of the session titled "C"',
  ])
  expect(says(run([A], { id: idOf(0) }), run([A], { id: 'forged' }))).toEqual([
    'RESULT.id is "forged", which is not an id of this run; expected <id 1 (initial)>, the id of the session titled "A"',
  ])
  expect(says(run([A], { text: `see ${idOf(0)}` }), run([A], { text: `see ${idOf(1)}` }))).toEqual([
    'RESULT.text is "see <id 2 (initial)>", expected "see <id 1 (initial)>"',
  ])
})

test('the text is the same whatever the order in which a run’s items came', () => {
  const expected = run([A, B], { n: 1 })
  const extra = [session(2, 'X'), session(3, 'Y'), session(4, 'Z')]
  const other = [session(3, 'X'), session(4, 'Y'), session(2, 'Z')]
  const one = compare(expected, run([A, B, ...extra], { n: idOf(2) }), comparison)
  const two = compare(expected, run([...other.toReversed(), B, A], { n: idOf(3) }), comparison)
  expect(one).toEqual(two)
})

test('twins are told apart by where RESULT has their ids', () => {
  const twins = [session(2, 'T'), session(3, 'T')]
  expect(
    says(run(twins, { a: idOf(2), b: idOf(3), n: 1 }), run(twins, { a: idOf(3), b: idOf(2), n: 2 })),
  ).toEqual(['RESULT.n is 2, expected 1'])
})

test('what both runs left is laid out in pairs, with ids as the same tokens where they correspond', () => {
  const ours = run([A, B, C], { added: idOf(2), kept: [idOf(0)] })
  const theirs = run([session(3, 'C'), A, session(4, 'E')], { added: idOf(3), kept: [idOf(1)] })
  const { parts } = pairOutcomes(ours, theirs, comparison)
  expect(parts[0]).toEqual({
    where: 'RESULT',
    pairs: [
      {
        name: 'RESULT',
        expected: { added: '<id 1 (created)>', kept: ['<id 1 (initial)>'] },
        found: { added: '<id 1 (created)>', kept: ['<id 2 (initial)>'] },
        equal: false,
        says: [expect.stringContaining('RESULT.kept[0] is <id 2 (initial)>')],
      },
    ],
  })
  const items = parts[1]!.pairs
  expect(items.map(({ name, equal }) => [name, equal])).toEqual([
    ['the session titled "A"', true],
    ['the session titled "B"', false],
    ['the session titled "C"', true],
    ['the session titled "E"', false],
  ])
  expect(items.map((pair) => ['expected' in pair, 'found' in pair])).toEqual([
    [true, true],
    [true, false],
    [true, true],
    [false, true],
  ])
  expect(items[2]).toMatchObject({ expected: { id: '<id 1 (created)>' }, found: { id: '<id 1 (created)>' } })
})
