/** The quick way to canonical JSON gives the library's text, and refuses what it refuses. */
import { expect, test } from '@jest/globals'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { canonicalJson } from '../src/index.ts'

test('any JSON value has the text that the library gives it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }), (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value))
    }),
    { seed: 8, numRuns: 1000 },
  )
})

const deep = (levels: number): unknown => (levels === 0 ? 1 : { b: [deep(levels - 1)], a: -0 })
test.each([
  ['numbers as keys', { 10: 1, 9: 2, a: { 2: 0, 10: 0 } }],
  ['a prototype as a key', JSON.parse('{"__proto__": {"x": 1}, "a": 2}')],
  ['numbers', [1e21, 1e-7, -0, 0.1 + 0.2, 5e-324, Number.MAX_SAFE_INTEGER]],
  ['what is left out', { a: undefined, b: [1, undefined], c: () => 1 }],
  [
    'values with a text of their own',
    { at: new Date(0), n: Object(3) as unknown, s: Object('x') as unknown },
  ],
  ['deep values', deep(150)],
  ['deeper values', deep(300)],
  ['surrogates in pairs', { '\ud83d\ude00': '\ud83d\ude00\u2028' }],
])('%s', (_, value) => expect(canonicalJson(value)).toBe(canonicalize(value)))

const circle: Record<string, unknown> = {}
circle['self'] = { circle }
test.each([
  ['NaN', [NaN]],
  ['infinity', { a: Infinity }],
  ['a circle', circle],
  ['no value', undefined],
  ['a big integer', [1n]],
])('%s is refused', (_, value) => expect(() => canonicalJson(value)).toThrow())

test('half a surrogate pair is escaped, and is no other text', () => {
  expect(canonicalJson({ '\udc00': '\ud800' })).toBe('{"\\udc00":"\\ud800"}')
  expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"')
})
