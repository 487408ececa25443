import { expect, test } from '@jest/globals'
import type { Observation } from '@stateeval/contracts'
import {
  type CodeVerdict,
  codeVerdicts,
  judgeEnding,
  formatEvidence,
  judgeInputs,
  estimatePassAtK,
  runLabels,
  computeWilson,
} from '../src/index.ts'
import { comparison, idOf, world } from './model.ts'

const nothing = world([], { initial: [], created: [] })
const observed = (ending: Observation['ending'], more: Partial<Observation> = {}): Observation => ({
  ending,
  world: nothing,
  log: [],
  output: '',
  faults: [],
  wallMs: 3,
  sandbox: 'fake',
  ...more,
})
const error = { name: 'Error', message: 'no' }
const endings: [Observation['ending'], CodeVerdict | 'compare'][] = [
  [{ status: 'completed', result: {} }, 'compare'],
  [{ status: 'no_result', reason: 'not set' }, 'result_error'],
  [{ status: 'threw', error }, 'execution_error'],
  [{ status: 'timeout', limit: 'cpu', afterMs: 5 }, 'timeout'],
  [{ status: 'timeout', limit: 'wall', afterMs: 5 }, 'timeout'],
  [{ status: 'killed', by: 'memory' }, 'resource_limit'],
  [{ status: 'killed', by: 'output' }, 'resource_limit'],
  [{ status: 'killed', by: 'result' }, 'resource_limit'],
  [{ status: 'killed', by: 'processes' }, 'resource_limit'],
  [{ status: 'killed', by: 'requests' }, 'resource_limit'],
  [{ status: 'killed', by: 'crash' }, 'execution_error'],
  [{ status: 'refused', reason: 'syntax', error }, 'syntax_error'],
  [{ status: 'refused', reason: 'no_code', error }, 'no_code'],
  [{ status: 'infrastructure', reason: 'gone' }, 'infrastructure_error'],
]

test.each(endings)('%j is %s', (ending, verdict) => {
  expect(judgeEnding(observed(ending)).verdict).toBe(verdict)
  expect(judgeEnding(observed(ending, { faults: ['the database went away'] })).verdict).toBe(
    'infrastructure_error',
  )
})

test('every verdict of the closed list can be reached', () => {
  const reached = new Set(endings.map(([, verdict]) => (verdict === 'compare' ? 'passed' : verdict)))
  expect([...codeVerdicts].filter((verdict) => !reached.has(verdict))).toEqual([])
})

const expected = [
  { result: { a: 1 }, world: nothing },
  { result: { a: 2 }, world: nothing },
]
const done = (a: number) => observed({ status: 'completed', result: { a } })

test('infrastructure first, then the first input that failed', () => {
  const threw = observed({ status: 'threw', error })
  const away = observed({ status: 'infrastructure', reason: 'gone' })
  const verdict = (...observations: Observation[]) => judgeInputs(expected, observations, comparison)
  expect(verdict(done(1), done(2))).toEqual({ verdict: 'passed', evidence: { differences: [] } })
  expect(verdict(done(1), done(3)).evidence).toMatchObject({
    input: 1,
    differences: [{ says: 'RESULT.a is 3, expected 2' }],
  })
  expect(verdict(done(9), threw)).toMatchObject({ verdict: 'result_error', evidence: { input: 0 } })
  expect(verdict(threw, done(9))).toMatchObject({ verdict: 'execution_error', evidence: { input: 0, error } })
  expect(verdict(threw, away)).toMatchObject({ verdict: 'infrastructure_error', evidence: { input: 1 } })
  expect(verdict(done(1)).verdict).toBe('infrastructure_error')
  expect(verdict(done(1), observed({ status: 'completed', result: { a: 2 } }, { world: null })).verdict).toBe(
    'infrastructure_error',
  )
})

test('evidence has no ids, hosts, times or paths of the run', () => {
  const labels = runLabels(world([], { initial: [idOf(0)], created: [idOf(1)] }))
  expect(
    formatEvidence(
      `connect ECONNREFUSED 127.0.0.1:41233 for ${idOf(1)} and ${idOf(0)} at /tmp/jail-1/main.js:3`,
      labels,
    ),
  ).toBe('connect ECONNREFUSED <host> for <other id 1 (created)> and <id 1 (initial)> at <path>:3')
  expect(formatEvidence('late since 2026-11-21T10:11:12.345Z on http://localhost:8080/api', labels)).toBe(
    'late since <time> on http://<host>/api',
  )
})

test('Wilson intervals as published, pass@k as by counting', () => {
  // Wilson (1927), 95 %: R's prop.test(x, n, correct = FALSE).
  expect(computeWilson(5, 10)).toEqual([0.236593, 0.763407])
  expect(computeWilson(0, 10)).toEqual([0, 0.277533])
  expect(computeWilson(40, 40)).toEqual([0.912378, 1])
  expect(computeWilson(0, 0)).toBeNull()
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)
  for (const [n, c, k] of [
    [5, 2, 1],
    [5, 2, 3],
    [10, 3, 4],
    [4, 0, 2],
    [4, 4, 2],
    [6, 4, 3],
  ] as const) {
    const failing = n - c < k ? 0 : choose(n - c, k) / choose(n, k)
    expect(estimatePassAtK(n, c, k)).toBeCloseTo(1 - failing, 5)
  }
  expect(estimatePassAtK(2, 1, 3)).toBeNull()
})
