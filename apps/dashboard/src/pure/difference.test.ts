/** Structural differences, code in answers, flipped cases. */
import { expect, test } from '@jest/globals'
import type { ExecutionResult, Observation, SampleDetail, SampleRow } from '@stateeval/contracts'
import { wrapCode, extractCode } from './code.ts'
import { compareValues, foldLines, getLeftovers } from './difference.ts'
import { groupFlips } from './flips.ts'
import { listPlayedInputs } from './played.ts'

const marked = (a: unknown, b: unknown) =>
  compareValues(a, b)
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
  expect(compareValues(deep(900), deep(901)).lines.length).toBeGreaterThan(0)
  const long = (n: number) => Array.from({ length: 3000 }, (_, at) => at * n)
  expect(compareValues(long(1), long(2))).toMatchObject({ lines: { length: 2000 }, more: expect.any(Number) })
  const { lines } = compareValues([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 8])
  expect(foldLines(lines)[0]).toMatchObject({ folded: { length: 4 } })
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
  expect(marked(getLeftovers(a), getLeftovers(b))).toEqual(['- "other": "a!",', '+ "other": "b!",'])
  const none = observation(['i', 'b'], { status: 'no_result', reason: 'x' })
  expect(getLeftovers(none)).toMatchObject({
    ended: 'no_result',
    state: { items: ['‹id 1 (initial)›', '‹id 1 (created)›'] },
  })
})

test('code goes into an answer and comes out of it', () => {
  expect(extractCode('So:\n```js\none\n```\nbetter:\n```js\ntwo\nthree\n```\n')).toBe('two\nthree')
  expect(extractCode('RESULT = 1')).toBe('RESULT = 1')
  expect(wrapCode('a = `b`', 'javascript')).toBe('```javascript\na = `b`\n```\n')
  expect(wrapCode('// ```', 'python')).toBe('````python\n// ```\n````\n')
})

test('flips are told by case, those whose rows have not all come are left out', () => {
  const row = (place: number, passed: boolean | null, baseline: number | null): SampleRow => ({
    ...{ place, case: `c${Math.floor(place / 2)}`, sample: place % 2, group: '' },
    ...{ passed, verdict: null, says: '', baseline },
  })
  const rows = [row(2, true, 1), row(3, false, 1), row(6, null, 0), row(7, true, 0), row(8, false, 1)]
  expect(groupFlips(rows, { samplesA: 1, samplesB: 2, more: true })).toEqual([
    { case: 'c1', a: { rate: 1 }, b: { rate: 0.5 }, placeA: 1, placeB: 3 },
    // A sample has no score.
    { case: 'c3', a: { rate: 0 }, b: { rate: 1, bracket: [0.5, 1] }, placeA: 3, placeB: 7 },
  ])
  expect(groupFlips(rows, { samplesA: 1, samplesB: 2, more: false })).toHaveLength(3)
})

test('each input of a dialogue has its own run, and stands beside its own oracle', () => {
  const ended = (result: number): Observation => ({
    ...({ ending: { status: 'completed', result }, log: [], output: '', wallMs: 1 } as object as Observation),
  })
  const run = (result: number) => ({ observations: [ended(result)] }) as object as ExecutionResult
  const transcript = (input: number) => ({ role: 'model' as const, input, messages: [] })
  const candidate: NonNullable<SampleDetail['candidate']> = {
    said: {
      ...{ kind: 'dialogue', policy: null, decisions: [] },
      inputs: [
        { transcript: 0, run: null },
        { transcript: 1, run: 0 },
      ],
    },
    transcripts: [transcript(0), transcript(1)],
    runs: [run(7)],
    consultations: [],
  }
  const pairs = { parts: [] }
  const sample = { candidate, expected: [ended(1), ended(2)], paired: [[pairs]] }
  expect(listPlayedInputs(sample, undefined)).toEqual([
    { input: 0, transcript: 0, oracle: ended(1) },
    { input: 1, transcript: 1, observation: ended(7), oracle: ended(2), pairs },
  ])
})
