/** Evidence of a difference shows it, however long values are alike and however many arguments a call has. */
import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import fc from 'fast-check'
import { formatCallPair, shortenPair } from '../../root-cause/texts.ts'

/** Values that are alike up to their end, of any length. */
const pairs = fc
  .tuple(fc.nat(900), fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b'))
  .map(([length, one, other]) => [one, other].map((end) => ['x'.repeat(length), end]) as [string[], string[]])

test('two values are shown as the same only if they are', () => {
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const { expected, found } = shortenPair(one, other)
      expect(expected === found).toBe(one[1] === other[1])
    }),
  )
})

test('so are two calls', () => {
  fc.assert(
    fc.property(pairs, fc.nat(20), ([one, other], count) => {
      const before = Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`argument_${n}`, 'y'.repeat(n)]),
      )
      const call = (value: string[]) => ({ api: 'get', args: { ...before, last: value } })
      const { expected, found } = formatCallPair(partial(call(one)), partial(call(other)))
      expect(expected === found).toBe(one[1] === other[1])
    }),
  )
})
