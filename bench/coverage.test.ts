/** The claim of the coverage bench on fewer seeds: it is deterministic, no timing. */
import { expect, test } from '@jest/globals'
import { defaultOptions, generate } from '@stateeval/generate'
import { findScenario } from '@stateeval/scenarios'

const scenario = findScenario('session-service')!
const seeds = 24

test('planned covers all 25 adjacent pairs with at most 1.15 times the least number of programs', () => {
  const needed = Array.from({ length: seeds }, (_, seed) => {
    let programs = 0
    for (const { adjacentCovered } of generate(scenario, { ...defaultOptions, seed, controlFlow: false })) {
      programs++
      if (adjacentCovered === 25) return programs
    }
    return Number.POSITIVE_INFINITY
  })
  // Four pairs a program: no strategy needs fewer than seven.
  expect(Math.min(...needed)).toBeGreaterThanOrEqual(7)
  expect(needed.reduce((sum, count) => sum + count, 0) / seeds).toBeLessThanOrEqual(7 * 1.15)
})

test('planned has more pair transitions than coverage after equally many programs, on the mean', () => {
  const shown = 10
  const mean = (strategy: 'planned' | 'coverage') => {
    const curves = Array.from({ length: seeds }, (_, seed) =>
      Array.from(
        generate(scenario, { ...defaultOptions, seed, count: shown, strategy, observable: strategy === 'planned', controlFlow: false }),
        ({ pairsCovered }) => pairsCovered,
      ),
    )
    return Array.from({ length: shown }, (_, at) => curves.reduce((sum, curve) => sum + (curve[at] as number), 0) / seeds)
  }
  const [ours, theirs] = [mean('planned'), mean('coverage')]
  ours.forEach((value, at) => expect(value).toBeGreaterThanOrEqual(theirs[at] as number))
})
