import { expect, test } from '@jest/globals'
import type { ComparisonResource } from '@stateeval/contracts'
import pico from 'picocolors'
import { formatComparison, formatSmallP } from './comparison.ts'

const model = (name: string, passed: number) => ({
  name,
  cases: 40,
  samples: 40,
  passed,
  rate: passed / 40,
  interval: [0.1, 0.9] as [number, number],
  method: 'wilson' as const,
  passAtK: [{ k: 1, estimate: passed / 40, cases: 40 }],
  passAllK: [{ k: 1, estimate: passed / 40, cases: 40 }],
})
const comparison: ComparisonResource = {
  id: 'cmp_1',
  digest: 'f'.repeat(64),
  kind: 'stateeval',
  evaluations: [
    { id: 'ev_1', name: 'good', model: 'good', options: {}, notScored: 2 },
    { id: 'ev_2', name: 'poor', model: 'poor', options: {}, notScored: 0 },
  ],
  comparison: {
    alpha: 0.05,
    power: 0.8,
    models: [model('good', 30), model('poor', 10)],
    pairs: [
      {
        a: 'good',
        b: 'poor',
        cases: 40,
        difference: 0.5,
        interval: [0.3, 0.7],
        betterA: 22,
        betterB: 2,
        test: 'mcnemar',
        exact: true,
        p: 0.000036,
        adjusted: 0.000036,
        significant: true,
        leastDifference: null,
      },
    ],
    explanations: {
      wilson: 'What Wilson says.',
      clustered: 'What the bootstrap says.',
      mcNemar: 'What McNemar says.',
      signFlip: 'What flipping says.',
      holm: 'What Holm says.',
    },
  },
  groups: { length: [5, 7].map((n) => ({ name: String(n), rates: [1, null] })) },
  errors: [[], [{ name: 'session-service', failed: 30, syntax: 1, execution: 20, result: 9 }]],
  links: {},
}

test('models, pairs, groups and errors stand in tables, each test with its explanation', () => {
  const text = formatComparison(comparison, pico.createColors(false))
  for (const part of [
    '30/40',
    '75.0 %',
    '+50.0 %',
    '+30.0 % to +70.0 %',
    '22 : 2',
    '3.6e-5',
    'yes',
    'What Wilson says.',
    'What McNemar says.',
    'What Holm says.',
    'good: 2',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('What flipping says.')
  expect(text).toMatch(/session-service +30 +1 +20 +9/)
  expect(text).toMatch(/5 +100\.0 % +–/)
})

test('groups of several scenarios name theirs', () => {
  const api = ['one', 'two'].map((scenario) => ({ name: 'list', scenario, rates: [1, 0] }))
  const text = formatComparison({ ...comparison, groups: { api } }, pico.createColors(false))
  expect(text).toMatch(/\n one list +100\.0 % +0\.0 % *\n two list +100\.0 %/)
})

test('where no difference could be significant, no least difference is told', () => {
  const told = (cases: number, pairs: number) => {
    const [pair] = comparison.comparison.pairs
    const all = Array.from({ length: pairs }, () => ({ ...pair!, cases, leastDifference: 0.4 }))
    const changed = { ...comparison, comparison: { ...comparison.comparison, pairs: all } }
    return formatComparison(changed, pico.createColors(false))
  }
  expect(told(5, 1)).toContain('too few cases (6 needed)')
  expect(told(6, 1)).toContain('40.0 %')
  // Corrected for three pairs.
  expect(told(6, 3)).toContain('too few cases (7 needed)')
})

test('the fewest cases of a policy are those of its own pairs', () => {
  const [pair] = comparison.comparison.pairs
  const pairs = (count: number) => Array.from({ length: count }, () => ({ ...pair!, cases: 7 }))
  // Four evaluations have six pairs, and three with the first one.
  const changed = {
    ...comparison,
    comparison: { ...comparison.comparison, pairs: pairs(6) },
    policies: { sound: pairs(3) },
  }
  const text = formatComparison(changed, pico.createColors(false))
  const [all, sound] = text.split('by the policy sound')
  expect([all, sound].map((part) => part!.includes('too few cases'))).toEqual([true, false])
})

test('p-values keep what they say', () =>
  expect([formatSmallP(0.5), formatSmallP(0.00005), formatSmallP(1e-12)]).toEqual([
    '0.5000',
    '5.0e-5',
    '1.0e-12',
  ]))
