/** Arguments may have names that every object inherits. */
import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import { listDifferingArguments } from '../../root-cause/align.ts'

test.each(['constructor', '__proto__', 'toString'])('an argument called %s differs from none', (name) => {
  const expected = { api: 'get', args: {}, sources: {}, changes: false }
  const actual = { args: Object.fromEntries([[name, 'x']]) }
  expect(listDifferingArguments(partial(expected), actual)).toEqual([name])
})
