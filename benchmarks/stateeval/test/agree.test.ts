/** Equivalent mutants are recognised where a world gives each run values of its own, such as times. */
import { expect, test } from '@jest/globals'
import { createUnrunObservation } from '../build/case.ts'
import { hasSameObservation } from '../mutants/agree.ts'

const observe = (title: string, time: string, others: readonly string[] = []) => {
  const id = `0123456789abcdef${time}`
  const listed = [{ id, title, time }, ...others.map((one) => ({ title: one, time: 'later' }))]
  const world = { state: { items: [{ id, title }] }, ids: { initial: [], created: [id] }, gone: [] }
  return createUnrunObservation('test', { listed }, world)
}

test('values at hidden places count for nothing, all others do', () => {
  const hidden = [['listed', 0, 'time']]
  const [one, later] = [observe('a', '01'), observe('a', '02')]
  expect(hasSameObservation(one, later, ['items'])).toBe(false)
  expect(hasSameObservation(one, later, ['items'], hidden)).toBe(true)
  expect(hasSameObservation(one, observe('b', '02'), ['items'], hidden)).toBe(false)
  expect(hasSameObservation(one, observe('a', '02', ['c']), ['items'], hidden)).toBe(false)
  expect(hasSameObservation(one, later, ['items'], [['listed', 1, 'time']])).toBe(false)
})
