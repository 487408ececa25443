import { expect, test } from '@jest/globals'
import type { ReportResult, ScoredSample } from '@stateeval/contracts'
import { partial } from '@stateeval/testkit/partial'
import { compareReports } from '../../src/statistics/compare-reports.ts'
import { rateOutcomes } from '../../src/statistics/rate.ts'

const group = (name: string, rate: number, scenario?: string) => ({
  name,
  rate: { passed: 0, scored: 1, rate, interval: null },
  ...(scenario !== undefined && { scenario }),
})
const report = (model: string, groups: ReportResult['groups']) =>
  partial<ReportResult>({ model, options: {}, samples: [], groups })

test('groups stand side by side; an API of several scenarios keeps its scenario', () => {
  const { groups } = compareReports(
    [
      report('a', { api: [group('list', 1, 'one'), group('list', 0.5, 'two')], length: [group('1', 1)] }),
      report('b', { api: [group('list', 0.25, 'two')], length: [group('1', 0)] }),
    ],
    { seed: 1 },
  )
  expect(groups).toEqual({
    api: [
      { name: 'list', scenario: 'one', rates: [1, null] },
      { name: 'list', scenario: 'two', rates: [0.5, 0.25] },
    ],
    length: [{ name: '1', rates: [1, 0] }],
  })
})

test('an evaluation has the rate and the interval of its report, whatever it is compared with', () => {
  const samples = Array.from({ length: 200 }, (_, n) => {
    const passed = (n * n) % 37 > 11
    const evidence = { differences: [] }
    const score = { passed, verdict: passed ? 'passed' : 'result_error', metrics: {}, evidence }
    return { case: `c${n % 37}`, sample: Math.floor(n / 37), score } satisfies ScoredSample
  })
  const result = partial<ReportResult>({ model: 'a', options: {}, samples, groups: {} })
  const { rate, interval, method } = rateOutcomes(
    samples.map(({ case: id, score: { passed } }) => ({ case: id, passed })),
  )
  expect(method).toBe('clustered')
  for (const seed of [1, 2]) {
    const { comparison } = compareReports([{ ...result, model: 'b' }, result], { seed })
    expect(comparison.models[1]).toMatchObject({ rate, interval, method })
  }
})
