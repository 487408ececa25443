/** Passing by policy, and measures of samples, of evaluations that answered the same cases. */
import { expect, test } from '@jest/globals'
import type { ReportResult, ScoredSample } from '@stateeval/contracts'
import { compareMeasures, comparePolicies, testMcNemar } from '../../src/index.ts'

interface Judged {
  strict: boolean
  loose: boolean
  partial: number | null
}
const report = (judged: readonly Judged[]) =>
  ({
    samples: judged.map(({ strict, loose, partial }, n): ScoredSample => ({
      ...{ case: `c${n}`, sample: 0 },
      score: {
        ...{ passed: strict, verdict: strict ? 'passed' : 'failed', evidence: { differences: [] } },
        metrics: { pass: strict ? 1 : 0, partial, length: 3 },
        policies: Object.fromEntries(
          Object.entries({ strict, loose }).map(([name, passed]) => [
            name,
            { ...{ passed, verdict: passed ? 'passed' : 'failed', metrics: {}, differences: [] } },
          ]),
        ),
      },
    })),
  }) as unknown as ReportResult

const cases = Array.from({ length: 12 }, (_, n) => n)
const a = report(cases.map((n) => ({ strict: n < 9, loose: true, partial: n === 0 ? null : 1 })))
const b = report(cases.map((n) => ({ strict: n < 2, loose: n > 0, partial: n / 10 })))

test('each policy has its own paired test', () => {
  const { strict, loose } = comparePolicies([a, b], ['a', 'b'], 1)
  expect(strict).toMatchObject([{ test: 'mcnemar', betterA: 7, betterB: 0, cases: 12 }])
  expect(strict![0]!.p).toBeCloseTo(testMcNemar(7, 0), 6)
  expect([strict![0]!.significant, loose![0]!.significant]).toEqual([true, false])
  expect(loose).toMatchObject([{ betterA: 1, betterB: 0, difference: 0.083333 }])
})

test('a measure is compared on the cases that both have, and only if it differs', () => {
  const [partial, ...others] = compareMeasures([a, b], ['a', 'b'], 1)
  expect(others).toEqual([])
  expect(partial).toMatchObject({
    measure: 'partial',
    cases: 11,
    means: [1, 0.6],
    difference: 0.4,
    higherB: 1,
  })
  const [low, high] = partial!.interval!
  expect(low).toBeGreaterThan(0)
  expect([low < 0.4, high > 0.4]).toEqual([true, true])
  expect(compareMeasures([a, b], ['a', 'b'], 1)).toEqual([partial])
  expect(compareMeasures([a, a], ['a', 'b'], 1)).toEqual([])
})
