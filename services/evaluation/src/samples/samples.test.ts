/** Columns of samples, and searches in their texts. */
import { expect, test } from '@jest/globals'
import { ProblemError, type SampleRow } from '@stateeval/contracts'
import { leastEffort } from '@stateeval/testkit/each-time'
import {
  computeCaseBracket,
  buildColumns,
  isDifferentShare,
  selectFittingRows,
  joinColumns,
  computeShares,
  sortPlaces,
} from './columns.ts'
import { compileRe2, findRows, type TextSearch } from './search.ts'
import { packTexts, unpackTexts } from './text.ts'
import { packColumns, unpackColumns } from './whole.ts'

const row = (place: number, passed: boolean | null, verdict: string | null, cause?: string): SampleRow => ({
  place,
  case: `c${Math.floor(place / 2)}`,
  sample: place % 2,
  group: place < 2 ? 'one' : 'two',
  passed,
  verdict,
  ...(cause !== undefined && { cause }),
  says: '',
})
const rows = [
  row(0, true, 'passed'),
  row(1, false, 'result_error', 'wrong_key'),
  null,
  row(3, null, null),
  row(4, false, 'exception', 'no_such_api'),
  row(5, true, 'passed'),
]
const columns = joinColumns([buildColumns(rows.slice(0, 4)), buildColumns(rows.slice(4))], 4, 6)

test('columns of chunks become those of all samples', () => {
  expect([columns.state, columns.ended]).toEqual(['pf nfp', 5])
  expect(columns.counts.verdict).toEqual({ exception: 1, passed: 2, result_error: 1 })
  expect(columns.counts.group).toEqual({ one: 2, two: 3 })
  // Also from a place in memory where no numbers may begin.
  expect(unpackColumns(new Uint8Array([0, ...packColumns(columns)]).subarray(1))).toEqual(columns)
  // Of the second chunk nothing has ended.
  expect(joinColumns([buildColumns(rows.slice(0, 4)), null], 4, 6).state).toBe('pf n  ')
})

test('places are filtered, and sorted with those without a name last', () => {
  expect(selectFittingRows(columns, {})).toEqual([0, 1, 3, 4, 5])
  expect(selectFittingRows(columns, { passed: 'no' })).toEqual([1, 4])
  expect(selectFittingRows(columns, { passed: 'not scored' })).toEqual([3])
  expect(selectFittingRows(columns, { group: 'two', verdict: 'passed' })).toEqual([5])
  expect(selectFittingRows(columns, { cause: 'unheard_of' })).toEqual([])
  const all = selectFittingRows(columns, {})
  expect(sortPlaces(all, columns, { sort: 'cause' })).toEqual([4, 1, 0, 3, 5])
  expect(sortPlaces(all, columns, { sort: 'cause', order: 'falling' })).toEqual([1, 4, 0, 3, 5])
  expect(sortPlaces(all, columns, { order: 'falling' })).toEqual([5, 4, 3, 1, 0])
})

test('cases are compared by the shares of their scored samples', () => {
  const shares = computeShares(columns, 2)
  expect([...shares]).toEqual([0.5, NaN, 0.5])
  // Only samples that ended without a score could change a share.
  expect([0, 1, 2].map((at) => computeCaseBracket(columns, 2, at))).toEqual([undefined, [0, 1], undefined])
  expect(computeCaseBracket({ state: 'pfnpn ' }, 6, 0)).toEqual([0.4, 0.8])
  expect(['better', 'worse', 'any'].map((how) => isDifferentShare(0.5, 1, how as 'any'))).toEqual([
    false,
    true,
    true,
  ])
  // What was not scored differs from nothing.
  expect([isDifferentShare(NaN, 1, 'any'), isDifferentShare(1, NaN, 'better')]).toEqual([false, false])
})

const texts = {
  instruction: ['Add a session titled “Über”', 'Delete every session'],
  code: ['await axios.post(url)\nRESULT = 1', `a${'a'.repeat(15_000)}`, 'x\0y\u0001z'],
  error: ['c0\npassed', 'c0\nTypeError: x is undefined', 'c1\nresult_error'],
}
const find = (search: Partial<TextSearch>, deadline = Infinity) =>
  findRows({
    search: { words: [], ...search },
    texts: packTexts(texts),
    rows: [0, 1, 2],
    cases: [0, 0, 1],
    deadline,
  })

test('words and patterns are found in instruction, code and error', () => {
  expect(unpackTexts(packTexts(texts)).code[2]).toBe('x y z')
  expect(find({ words: ['ÜBER'] })).toEqual([0, 1])
  // Each word may be in another text.
  expect(find({ words: ['über', 'typeerror'] })).toEqual([1])
  expect(find({ words: ['session'], in: 'code' })).toEqual([])
  expect(find({ pattern: '^RESULT\\s*=\\s*\\d$' })).toEqual([0])
  expect(find({ pattern: '(?i)typeERROR|RESULT_' })).toEqual([1, 2])
  expect(find({ pattern: 'session$', words: ['result_error'], in: 'instruction' })).toEqual([])
  expect(find({ words: ['session'] }, 0)).toBeNull()
})

test('a pattern that takes others forever takes linear time; one that can’t be linear is refused', () => {
  const search = () => expect(find({ pattern: '(a|aa)+$|(a*)*b', in: 'code' })).toEqual([1])
  expect(leastEffort(search, 3000)).toBeLessThanOrEqual(3000)
  for (const pattern of ['(a)\\1', 'a(?=b)', '(', 'a{1001}'])
    expect(() => compileRe2(pattern)).toThrow(ProblemError)
})
