/** The claims of the coverage bench on fewer seeds: deterministic, no timing. */
import { expect, test } from '@jest/globals'
import { mean, measure } from './strategies/measure.ts'
import { findScenario } from '@stateeval/scenarios'

const scenario = findScenario('session-service')!
const seeds = Array.from({ length: 8 }, (_, seed) => seed)
const programCount = 10
const planned = seeds.map((seed) => measure(scenario, 'planned', false, seed, 25, programCount))

test('planned covers all 25 adjacent pairs with at most 1.15 times the least number of programs', () => {
  const needed = planned.map(({ until }) => until ?? Number.POSITIVE_INFINITY)
  // Four pairs a program: no strategy needs fewer than seven.
  expect(Math.min(...needed)).toBeGreaterThanOrEqual(7)
  expect(mean(needed)).toBeLessThanOrEqual(7 * 1.15)
})

const few = process.env['STATEEVAL_LONG'] ? 40 : 2

test.each([
  ['tensor-operation', 9],
  ['elevenlabs-mcp', 9],
])(
  'planned covers all 36 adjacent pairs of %s with at most 1.15 times the least number of programs, %i',
  (id, least) => {
    const programs = Array.from({ length: few }, (_, seed) => {
      const { until } = measure(findScenario(id)!, 'planned', false, seed, 36, 1)
      return until ?? Number.POSITIVE_INFINITY
    })
    // Four pairs a program: no strategy needs fewer.
    expect(Math.min(...programs)).toBeGreaterThanOrEqual(least)
    expect(mean(programs)).toBeLessThanOrEqual(least * 1.15)
  },
)

test('planned has more pair transitions than coverage after equally many programs, on the mean', () => {
  const coverage = seeds.map((seed) =>
    measure(scenario, 'coverage', false, seed, 25, programCount, programCount),
  )
  for (let at = 0; at < programCount; at++) {
    const after = (runs: typeof planned) => mean(runs.map(({ linked }) => linked[at] as number))
    expect(after(planned)).toBeGreaterThanOrEqual(after(coverage))
  }
})
