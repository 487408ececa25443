import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { leastEffort, longestTurn } from './each-time.ts'
import { slowness } from './long-texts.ts'

/** What is found is not looked for again and again. */
const atOnce = 0
const steps = (count: number) => {
  let sum = 0
  for (let n = 0; n < count; n++) sum = (Math.imul(sum, 48_271) + n) | 0
  return sum
}

test('effort is the same on each machine, and grows with the work', () => {
  const efforts = [1, 100].map((times) => leastEffort(() => steps(times * 1e6), 0, atOnce))
  expect(efforts[1]).toBeGreaterThan(30 * efforts[0]!)
  expect(efforts[1]).toBeLessThan(300 * efforts[0]!)
})

test('a reader whose effort grows with the square of the text is found, a linear one is not', () => {
  const make = (length: number) => 'x'.repeat(length)
  expect(slowness((text) => steps(text.length), make)).toBeNull()
  // A quarter of the text shows it; where a busy machine hides it there, the whole does by a factor of 40.
  expect(slowness((text) => steps(text.length ** 2), make, { maxMs: atOnce })).not.toBeNull()
})

test('work that keeps the event loop is found, work that gives others their turns is not', async () => {
  // Far from the limit on both sides: on a busy machine, the unit of effort is several times as large.
  const parts = Array.from({ length: 150 }, () => () => steps(2e6))
  const polite = async () => {
    for (const part of parts) await nextTurn(part())
  }
  expect(await longestTurn(polite, 75)).toBeLessThanOrEqual(75)
  expect(await longestTurn(async () => parts.forEach((part) => part()), 75, atOnce)).toBeGreaterThan(75)
})
