/** Structural differences, code in answers, flipped cases. */
import { expect, test } from '@jest/globals'
import type { Observation, SampleRow } from '@stateeval/contracts'
import { answerWith, codeIn } from './code.ts'
import { differenceOf, folded, leftBy } from './difference.ts'
import { flipsOf } from './flips.ts'

const marked = (a: unknown, b: unknown) =>
  differenceOf(a, b)
    .lines.filter(({ mark }) => mark !== 'same')
    .map(({ mark, text }) => `${mark === 'added' ? '+' : '-'} ${text}`)

test('only what differs is marked, wherever it is', () => {
  expect(marked({ b: 1, a: [1, { x: 'y' }] }, { a: [1, { x: 'y' }], b: 1 })).toEqual([])
  expect(marked({ a: { b: 1, c: 2 } }, { a: { b: 3, d: 2 } })).toEqual([
    '- "b": 1,',
    '+ "b": 3,',
    '- "c": 2,',
    '+ "d": 2,',
  ])
  // A member that was left out moves none of those after it.
  expect(marked([1, 2, 3, 4], [1, 3, 4])).toEqual(['- 2,'])
  expect(marked([1, 2], [0, 1, 2])).toEqual(['+ 0,'])
  expect(marked({ ['__proto__']: 1 }, {})).toEqual(['- "__proto__": 1,'])
  expect(marked({}, { constructor: 1 })).toEqual(['+ "constructor": 1,'])
  expect(marked(undefined, null)).toEqual(['- undefined', '+ null'])
})

test('deep and long values are shown as far as anybody reads', () => {
  const deep = (n: number): unknown => JSON.parse(`${'['.repeat(n)}1${']'.repeat(n)}`)
  expect(differenceOf(deep(900), deep(901)).lines.length).toBeGreaterThan(0)
  const long = (n: number) => Array.from({ length: 3000 }, (_, at) => at * n)
  expect(differenceOf(long(1), long(2))).toMatchObject({ lines: { length: 2000 }, more: expect.any(Number) })
  const { lines } = differenceOf([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 8])
  expect(folded(lines)[0]).toMatchObject({ folded: { length: 4 } })
})

const observation = (ids: string[], ending: Observation['ending']): Observation => ({
  ending,
  world: { state: { items: ids }, ids: { initial: ids.slice(0, 1), created: ids.slice(1) }, gone: [] },
  log: [],
  output: '',
  faults: [],
  wallMs: 1,
  sandbox: 'warm-jail',
})

test('ids are the same by their place, and an ending stands for a missing RESULT', () => {
  const done = (id: string) => ({ status: 'completed' as const, result: { id, other: `${id}!` } })
  const [a, b] = [observation(['i', 'a'], done('a')), observation(['i', 'b'], done('b'))]
  expect(marked(leftBy(a), leftBy(b))).toEqual(['- "other": "a!",', '+ "other": "b!",'])
  const none = observation(['i', 'b'], { status: 'no_result', reason: 'x' })
  expect(leftBy(none)).toMatchObject({
    ended: 'no_result',
    state: { items: ['‹id 1 (initial)›', '‹id 1 (created)›'] },
  })
})

test('code goes into an answer and comes out of it', () => {
  expect(codeIn('So:\n```js\none\n```\nbetter:\n```js\ntwo\nthree\n```\n')).toBe('two\nthree')
  expect(codeIn('RESULT = 1')).toBe('RESULT = 1')
  expect(answerWith('a = `b`', 'javascript')).toBe('```javascript\na = `b`\n```\n')
  expect(answerWith('// ```', 'python')).toBe('````python\n// ```\n````\n')
})

test('flips are told in both directions, with a sample that failed', () => {
  const row = (name: string, sample: number, passed: boolean | null): SampleRow => ({
    place: Number(name) * 2 + sample,
    case: name,
    sample,
    group: '',
    passed,
    verdict: null,
    says: '',
  })
  const a = [row('0', 0, true), row('0', 1, false), row('1', 0, false), row('2', 0, true), row('3', 0, null)]
  const b = [row('0', 0, false), row('0', 1, false), row('1', 0, true), row('2', 0, true), row('3', 0, true)]
  const { lost, won } = flipsOf(a, b)
  expect(lost).toEqual([{ case: '0', a: 0.5, b: 0, placeA: 1, placeB: 0 }])
  expect(won).toEqual([{ case: '1', a: 0, b: 1, placeA: 2, placeB: 2 }])
})
