import { afterEach, expect, test } from '@jest/globals'
import { measureMachine, patience } from './patience.ts'
import { until } from './until.ts'

const measured = process.env['STATEEVAL_TEST_SLOWNESS']!
afterEach(() => {
  process.env['STATEEVAL_TEST_SLOWNESS'] = measured
})

test('the run has measured the machine, and no machine is too fast', () => {
  expect(Number(measured)).toBeGreaterThanOrEqual(1)
  delete process.env['STATEEVAL_TEST_SLOWNESS']
  measureMachine()
  expect(patience(1000)).toBeGreaterThanOrEqual(1000)
})

test('limits follow how slow the machine is; who waits in vain says for what', async () => {
  process.env['STATEEVAL_TEST_SLOWNESS'] = '2.5'
  measureMachine()
  expect(patience(10)).toBe(25)
  const neverReady = () => false
  await expect(until(neverReady, { withinMs: 4 })).rejects.toThrow(/within \d+ ms: \(\) => false/)
})

test('who waits on a machine that has become slower since it was measured waits longer', async () => {
  process.env['STATEEVAL_TEST_SLOWNESS'] = '0.001'
  let looks = 0
  expect(await until(() => ++looks > 3, { withinMs: 1000 })).toBe(true)
  expect(Number(process.env['STATEEVAL_TEST_SLOWNESS'])).toBeGreaterThanOrEqual(1)
})
