import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { assignRows } from '../match/assign.ts'
import { computeLexicalSimilarities } from '../match/lexical.ts'

/** All assignments in dictionary order, null behind every place. */
function* assignments(rows: number, columns: number): Generator<(number | null)[]> {
  const pairs = Math.min(rows, columns)
  function* from(row: number, prefix: readonly (number | null)[]): Generator<(number | null)[]> {
    if (row === rows) {
      if (prefix.filter((one) => one !== null).length === pairs) yield [...prefix]
      return
    }
    for (let column = 0; column < columns; column++)
      if (!prefix.includes(column)) yield* from(row + 1, [...prefix, column])
    if (rows > columns) yield* from(row + 1, [...prefix, null])
  }
  yield* from(0, [])
}

function bruteForce(similarities: readonly (readonly number[])[]): (number | null)[] {
  let best: (number | null)[] = []
  let most = -Infinity
  for (const one of assignments(similarities.length, similarities[0]?.length ?? 0)) {
    // In the same steps, so that equal sums are equal.
    const sum = one.reduce<number>(
      (total, column, row) =>
        column === null ? total : total + Math.round(similarities[row]![column]! * 2 ** 40),
      0,
    )
    if (sum > most) [best, most] = [one, sum]
  }
  return best
}

/** Coarse values make ties, fine ones hardly ever. */
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), fc.constantFrom(1, 2, 4, 1e9))
  .chain(([rows, columns, steps]) =>
    fc.array(
      fc.array(
        fc.integer({ min: -steps, max: steps }).map((n) => n / steps),
        { minLength: columns, maxLength: columns },
      ),
      { minLength: rows, maxLength: rows },
    ),
  )

test('equals brute force on 10,000 random matrices, ties in dictionary order', () => {
  fc.assert(
    fc.property(matrix, (similarities) => {
      expect(assignRows(similarities)).toEqual(bruteForce(similarities))
    }),
    { numRuns: 10_000, seed: 16 },
  )
})

test('a hundred equal calls are assigned in their order', () => {
  const all = Array.from({ length: 100 }, () => new Array<number>(100).fill(0.5))
  expect(assignRows(all)).toEqual(all.map((_, at) => at))
  expect(assignRows(all.map((row) => row.slice(0, 2)))).toEqual(all.map((_, at) => (at < 2 ? at : null)))
})

test('nothing to assign', () => {
  expect(assignRows([])).toEqual([])
  expect(assignRows([[], []])).toEqual([null, null])
})

test('lexical similarity is 1 of equal texts and less of others', () => {
  const [row] = computeLexicalSimilarities(['Search Paris'], ['Search Paris', 'Search Rome', '', '\u{1f600}'])
  expect(row![0]).toBeCloseTo(1, 12)
  expect(row![1]).toBeLessThan(0.8)
  expect(row![2]).toBeLessThan(row![1]!)
})
