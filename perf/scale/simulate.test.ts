/** The simulation against what queueing theory says of cases that can be solved by hand. */
import { expect, test } from '@jest/globals'
import { simulate, type Station } from './simulate.ts'

const station = (name: string, places: number, seconds: number): Station => ({ name, places, seconds })

test('the part with the least capacity bounds a large window, and is told', () => {
  const { perSecond, busy, saturates } = simulate(
    [station('a', 1, 0.001), station('b', 4, 0.02), station('c', 2, 0.002)],
    { window: 100 },
  )
  // b serves 4 / 0.02 = 200 a second.
  expect(Math.abs(perSecond / 200 - 1)).toBeLessThan(0.03)
  expect(saturates).toBe('b')
  expect(busy['b']).toBeGreaterThan(0.97)
  expect(Math.abs(busy['a']! - 0.2)).toBeLessThan(0.02)
})

test('a window of one has no queue: the times add up', () => {
  const { perSecond } = simulate([station('a', 8, 0.03), station('b', 8, 0.01)], { window: 1 })
  expect(Math.abs(perSecond / 25 - 1)).toBeLessThan(0.03)
})

test('twice the places give twice the rate, until the next part saturates', () => {
  const at = (places: number) =>
    simulate([station('runs', places, 0.1), station('coordinator', 1, 0.004)], { window: 256 })
  expect(Math.abs(at(4).perSecond / at(2).perSecond - 2)).toBeLessThan(0.06)
  expect(at(4).saturates).toBe('runs')
  expect(at(64).saturates).toBe('coordinator')
  expect(Math.abs(at(64).perSecond / 250 - 1)).toBeLessThan(0.03)
})

test('the same seed gives the same numbers', () => {
  const stations = [station('a', 2, 0.01), station('b', 3, 0.01)]
  expect(simulate(stations, { window: 8, seed: 7 })).toEqual(simulate(stations, { window: 8, seed: 7 }))
})
