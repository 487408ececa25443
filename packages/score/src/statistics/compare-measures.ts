/**
 * Paired differences besides the verdict's: passing by each policy of a kind with several, and the measures
 * of samples, such as a share of correct arguments. Each evaluation is compared with the first one.
 */
import type { ComparedMeasure, ComparedPair, ReportResult } from '@stateeval/contracts'
import { createRng } from '@stateeval/program'
import { computeMeanInterval, resamples } from './bootstrap.ts'
import { correctPairs, type ModelCounts, testPair } from './compare-models.ts'
import type { CaseCount } from './pass-at-k.ts'
import { isScored } from './rate.ts'
import { computeMean, roundNumber } from './rounded.ts'

/** The most measures that are compared. */
const maxMeasures = 30
/** At most this many draws of cases over all intervals of measures. */
const maxDraws = 50_000_000
const [alpha, power] = [0.05, 0.8]

function countPassed(name: string, { samples }: ReportResult, policy: string): ModelCounts {
  const cases = new Map<string, CaseCount>()
  for (const { case: id, score } of samples.filter(isScored)) {
    const judged = score?.policies?.[policy]
    if (!judged) continue
    const before = cases.get(id) ?? { samples: 0, passed: 0 }
    cases.set(id, { samples: before.samples + 1, passed: before.passed + (judged.passed ? 1 : 0) })
  }
  return { name, cases }
}

/** The paired tests of each policy; empty for kinds with one. */
export function comparePolicies(
  results: readonly ReportResult[],
  names: readonly string[],
  seed: number | string,
): Record<string, ComparedPair[]> {
  const policies = new Set(
    results.flatMap(({ samples }) => samples.flatMap(({ score }) => Object.keys(score?.policies ?? {}))),
  )
  if (policies.size < 2) return {}
  const rng = createRng(`comparison/policies/${seed}`)
  return Object.fromEntries(
    [...policies].sort().map((policy) => {
      const [first, ...others] = results.map((result, n) => countPassed(names[n] as string, result, policy))
      const tests = others.map((other, n) =>
        testPair(first as ModelCounts, other, rng.fork(`${policy}/${n}`), {
          ...{ alpha: alpha / others.length, power, count: resamples },
        }),
      )
      return [policy, correctPairs(tests, alpha)]
    }),
  )
}

/** Averages each measure over the samples of each case. */
function averageMeasures({ samples }: ReportResult): Map<string, Map<string, number>> {
  const sums = new Map<string, Map<string, { sum: number; n: number }>>()
  for (const { case: id, score } of samples.filter(isScored))
    for (const [measure, value] of Object.entries(score?.metrics ?? {})) {
      if (value === null || measure === 'pass') continue
      const cases = sums.get(measure) ?? new Map<string, { sum: number; n: number }>()
      sums.set(measure, cases)
      const { sum, n } = cases.get(id) ?? { sum: 0, n: 0 }
      cases.set(id, { sum: sum + value, n: n + 1 })
    }
  return new Map(
    [...sums].map(([measure, cases]) => [
      measure,
      new Map([...cases].map(([id, { sum, n }]) => [id, sum / n])),
    ]),
  )
}

/** Paired differences of the measures that differ in some case, with bootstrap intervals. */
export function compareMeasures(
  results: readonly ReportResult[],
  names: readonly string[],
  seed: number | string,
): ComparedMeasure[] {
  const [first, ...others] = results.map(averageMeasures)
  const rng = createRng(`comparison/measures/${seed}`)
  const pairs = others.flatMap((other, n) =>
    [...(first as typeof other)].slice(0, maxMeasures).flatMap(([measure, ofFirst]) => {
      const both = [...ofFirst].flatMap(([id, a]) => {
        const b = other.get(measure)?.get(id)
        return b === undefined ? [] : [{ a, b }]
      })
      const differs = both.some(({ a, b }) => Math.abs(a - b) > 1e-12)
      return differs ? [{ measure, both, a: names[0] as string, b: names[n + 1] as string }] : []
    }),
  )
  const draws = maxDraws / Math.max(1, pairs.length)
  return pairs.map(({ measure, both, a, b }, n) => {
    const differences = both.map((one) => one.a - one.b)
    const count = Math.max(200, Math.min(resamples, Math.floor(draws / both.length)))
    return {
      ...{ measure, a, b, cases: both.length },
      means: [
        roundNumber(computeMean(both.map((one) => one.a))),
        roundNumber(computeMean(both.map((one) => one.b))),
      ],
      difference: roundNumber(computeMean(differences)),
      interval: computeMeanInterval(differences, rng.fork(n), { count }),
      higherA: differences.filter((one) => one > 1e-12).length,
      higherB: differences.filter((one) => one < -1e-12).length,
    }
  })
}
