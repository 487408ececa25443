/**
 * A law for the reports of all kinds: whatever the samples without a score would have come to, every rate
 * lies within the bracket that the report shows; a report without such samples shows none.
 */
import { expect, test } from '@jest/globals'
import type { ReportResult, ScoredSample } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import fc from 'fast-check'
import { byKind, kinds, samplesOfCase, scoreOf } from './every-kind.ts'

interface BracketedRate {
  rate: number | null
  bracket?: readonly [number, number]
}
/** Every rate of a report, by where it stands. */
function ratesIn(result: ReportResult): Map<string, BracketedRate> {
  const { overall, firstTry, statistics, groups, measures = [], mutation } = result
  const rates = new Map<string, BracketedRate>([['overall', overall]])
  if (firstTry) rates.set('first try', firstTry)
  for (const name of ['passAtK', 'passAllK'] as const)
    for (const { k, estimate, ...rest } of statistics?.[name] ?? [])
      rates.set(`${name} ${k}`, { rate: estimate, ...rest })
  for (const [dimension, members] of Object.entries(groups))
    for (const { name, rate } of members) rates.set(`${dimension} ${name}`, rate)
  for (const { policy, group, name, values, brackets = {} } of measures)
    for (const [measure, bracket] of Object.entries(brackets))
      rates.set(`${policy} ${group} ${name} ${measure}`, { rate: values[measure] ?? null, bracket })
  if (mutation)
    rates.set('mutation', { rate: mutation.score, ...(mutation.bracket && { bracket: mutation.bracket }) })
  return rates
}
const valueAt = (result: ReportResult, place: string): number | null | undefined => {
  const measure = result.measures?.flatMap(({ policy, group, name, values }) =>
    Object.entries(values).map(([one, value]) => [`${policy} ${group} ${name} ${one}`, value] as const),
  )
  return ratesIn(result).get(place)?.rate ?? measure?.find(([name]) => name === place)?.[1]
}

test.each(Object.entries(kinds))(
  '%s: every rate of a complete report lies within its bracket',
  (kind, judging) => {
    const benchmark: Benchmark = byKind.get(kind)!
    const { cases } = judging
    expect(cases.length).toBeGreaterThan(0)
    const count = cases.length * samplesOfCase
    const outcomes = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), {
      minLength: count,
      maxLength: count,
    })
    const about = { digest: 'a', model: 'm', options: {} }
    fc.assert(
      fc.property(outcomes, (all) => {
        const samples = all.map(([passed, first], at): ScoredSample => {
          const c = cases[Math.floor(at / samplesOfCase)]!
          return { case: c.id, sample: at % samplesOfCase, score: scoreOf(judging, c, passed, first) }
        })
        const missing = samples.map((one, at): ScoredSample =>
          all[at]![2] ? { ...one, score: null, notScored: 'the sandbox was away' } : one,
        )
        const complete = benchmark.aggregate(samples, cases, about)
        const partial = benchmark.aggregate(missing, cases, about)
        expect(JSON.stringify(complete)).not.toContain('bracket')
        expect(partial.notScored).toBe(all.filter(([, , isMissing]) => isMissing).length)
        expect(partial.overall.bracket !== undefined).toBe(partial.notScored > 0)
        for (const [place, { rate, bracket }] of ratesIn(partial)) {
          const value = valueAt(complete, place)
          // Of first tries nothing is known unless some sample tells of them.
          if (value === undefined || value === null) continue
          const [low, high] = bracket ?? [rate!, rate!]
          expect([place, value >= low - 1e-6 && value <= high + 1e-6]).toEqual([place, true])
          // The estimate of pass@k is of the cases that have k scored samples, which may be few of all.
          if (rate !== null && !place.startsWith('pass'))
            expect([place, rate >= low - 1e-6 && rate <= high + 1e-6]).toEqual([place, true])
        }
        // Both ends are reached.
        for (const [end, passed] of [false, true].entries()) {
          const filled = missing.map((one, at) => {
            const c = cases[Math.floor(at / samplesOfCase)]!
            return one.score ? one : { ...one, score: scoreOf(judging, c, passed, passed) }
          })
          const { overall } = benchmark.aggregate(filled, cases, about)
          expect(overall.rate).toBe(partial.overall.bracket?.[end] ?? partial.overall.rate)
        }
        // Nothing vanishes: a group whose samples all lack a score is there.
        for (const [dimension, members] of Object.entries(complete.groups))
          expect(partial.groups[dimension]!.map(({ name }) => name)).toEqual(members.map(({ name }) => name))
      }),
      { numRuns: process.env['STATEEVAL_LONG'] ? 100 : 8 },
    )
  },
)
