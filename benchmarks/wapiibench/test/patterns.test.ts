/** Patterns of a specification mean what they mean in JavaScript, and take linear time. */
import { expect, test } from '@jest/globals'
import { leastEffort } from '@stateeval/testkit/each-time'
import fc from 'fast-check'
import { matchPattern } from '../specification/pattern.ts'

test.each([
  '^(a|a)*$',
  '^((a)+)+$',
  '^(a?a?a?)+$',
  '^(?:(?:a)+b?)*$',
  '^a*a*a*a*a*a*$',
  `^${'a?'.repeat(200)}${'a'.repeat(200)}b$`,
])('%s does not match, which is known at once', (pattern) => {
  const match = () => expect(matchPattern(pattern, `${'a'.repeat(900)}!`)).toBe(false)
  expect(leastEffort(match, 2000)).toBeLessThanOrEqual(2000)
})

test.each(['^(?!x)a', String.raw`(a)\1`, '(', String.raw`\Qa\E`, String.raw`[\S]`, 'a'.repeat(1001)])(
  '%s is not tried',
  (pattern) => expect(matchPattern(pattern, 'a')).toBeNull(),
)

const parts = [
  ...[
    'a',
    'b',
    '.',
    '^',
    '$',
    '(a|b)',
    '(?:ab)+',
    '[a-c]*',
    '[^a]',
    '[[a]',
    '[.]',
    'b{2,3}',
    'a?',
    'a+?',
    '/',
  ],
  ...[String.raw`\d`, String.raw`\s+`, String.raw`\S`, String.raw`[\s,]`, String.raw`\w`, String.raw`\b`],
  ...[String.raw`\.`, String.raw`\-`, String.raw`\u00a0`, String.raw`\x41`, '(?<name>b)', String.raw`\p{Lu}`],
]
const signs = [...'abcA1 .,-[/\n\r\t\v\u00a0\u2028\ufeffÄ']

test('whatever is tried matches as in JavaScript', () => {
  let tried = 0
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }),
      fc.array(fc.constantFrom(...signs), { maxLength: 6 }),
      (chosen, text) => {
        const [pattern, value] = [chosen.join(''), text.join('')]
        const expected = ['u', ''].flatMap((flags) => {
          try {
            return [new RegExp(pattern, flags).test(value)]
          } catch {
            return []
          }
        })[0]
        const found = matchPattern(pattern, value)
        if (found === null) return
        tried++
        expect({ pattern, value, found }).toEqual({ pattern, value, found: expected })
      },
    ),
    { numRuns: 3000, seed: 1 },
  )
  expect(tried).toBeGreaterThan(1000)
})
