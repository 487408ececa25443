import { expect, test } from '@jest/globals'
import type { BenchmarkResource, Review } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { formatWritingEffort } from '../suite/writing-effort.ts'
import { setText } from './set.ts'

const scenario = (name: string) => ({
  scenario: name,
  cases: 1,
  apis: 1,
  branches: 0,
  metrics: { bindingCount: { mean: 1.5, min: 1, max: 2 } },
  atc: 0.96,
  feasible: 24,
  atcFeasible: 1,
})
const filtered = (name: string) => ({ scenario: name, phase: 'generate', reason: 'dead end', count: 2 })
const set = (manifest: object, more: object = {}): BenchmarkResource =>
  partial({
    id: 'bm_1',
    origin: 'build',
    manifest: { counts: { generated: 1, passed: 1, kept: 1 }, filtered: [], statistics: [], ...manifest },
    ...more,
  })

test('a set of one scenario: words for metrics, percentages for coverage, no "1 programs"', () => {
  const [head, filters, text] = setText(set({ filtered: [filtered('one')], statistics: [scenario('one')] }))
  expect(head).toBe('Benchmark bm_1: 1 program generated, 1 passed every filter, 1 kept.')
  expect(filters).toMatch(/^ filtered in +because +programs *\n generate +dead end +2/)
  expect(text).toContain(
    'one: 1 case, 0 with an if/else, 1 API, transitions cover 96.0 % of all pairs of APIs and 100.0 % of the 24 feasible ones\n',
  )
  expect(text).toMatch(/\n binding count +1\.50 +1 +2/)
})

test('what was filtered of several scenarios says of which', () => {
  const names = ['one', 'two']
  const [, filters] = setText(set({ filtered: names.map(filtered), statistics: names.map(scenario) }))
  expect(filters).toMatch(
    /^ scenario +filtered in +because +programs *\n one +generate +dead end +2 *\n two +generate/,
  )
})

test('tasks for one endpoint are counted as one', () => {
  const counts = { generated: 1, passed: 1, kept: 1, filteredShare: 0 }
  expect(setText(set({ counts }))[0]).toBe(
    'Benchmark bm_1: 1 task asked for, 1 passed every check, 0.0 % filtered.',
  )
})

const review = (name: string, faults: string[], status: Review['status'] = 'verified'): Review => ({
  case: name,
  target: `GET /${name}`,
  status,
  instruction: 'Do it',
  code: '',
  tries: [],
  decisions: [],
  dialogue: [...faults, 'it fits the specification'].flatMap((says, at) => [
    { by: 'generator', round: at + 1, says: '{}' },
    { by: 'check', round: at + 1, says },
  ]),
})

test('rounds of a writer are counted, and what was mended is named', () => {
  const reviews = [
    review('a', []),
    review('b', []),
    review('c', ['id is missing\nlimit is no number']),
    review('d', ['x', 'y'], 'rejected'),
  ]
  expect(formatWritingEffort('bm_1', reviews)).toEqual([
    [
      'Written: 2 tasks in 1 round, 1 task in 2 rounds.',
      'Corrected while writing:',
      '  c (GET /c): id is missing; 1 more',
    ].join('\n'),
  ])
  const many = Array.from({ length: 12 }, (_, n) => review(`t${n}`, ['id is missing']))
  expect(formatWritingEffort('bm_1', many)[0]).toMatch(
    /^Written: 12 tasks in 2 rounds\.\n[^]*\n {2}… and 2 more: npx stateeval review bm_1$/,
  )
  expect(formatWritingEffort('bm_1', [review('d', ['x'], 'rejected')])).toEqual([])
})
