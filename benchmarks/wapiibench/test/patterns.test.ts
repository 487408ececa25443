/** Patterns of a specification that could keep the process busy for ever are not tried. */
import { expect, test } from '@jest/globals'
import { faultsOf } from '../creation/schema.ts'

const faults = (pattern: string, value: string) =>
  faultsOf({ type: 'string', pattern }, value, 'x', { root: {} }).length

test.each(['^(a|a)*$', '^((a)+)+$', '^(a?a?a?)+$', '^([a)]+)*$', '^(?:(?:a)+b?)*$'])('%s', (pattern) => {
  const before = performance.now()
  expect(faults(pattern, `${'a'.repeat(28)}!`)).toBe(0)
  expect(performance.now() - before).toBeLessThan(500)
})

test.each(['^[a-z]+@[a-z]+$', '^(abc)+$', String.raw`^\(+$`, '^(?:a)[(+]*$'])('%s is tried', (pattern) =>
  expect(faults(pattern, '!')).toBe(1),
)
