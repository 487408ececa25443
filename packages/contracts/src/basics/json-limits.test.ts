/** The maximum depth of bodies, and the range of their numbers. */
import { expect, test } from '@jest/globals'
import { mostLevels, findInfiniteNumber, findDeepMember } from './json-limits.ts'

const lists = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown

test.each<[string, unknown, string | null]>([
  ['as deep as may be', lists(mostLevels), null],
  ['deeper', lists(mostLevels + 1), ''],
  ['far deeper', lists(50_000), ''],
  ['a member', { a: [1], b: { c: lists(mostLevels - 1) } }, '/b'],
  ['a member as deep as may be', { a: lists(mostLevels - 1) }, null],
  ['an ordinary body', { a: [{ b: null }, 'x'] }, null],
  ['no object', 3, null],
])('%s', (_, body, field) => expect(findDeepMember(body)).toBe(field))

test.each<[string, string, string | null]>([
  ['a number', '1e308', null],
  ['beyond all numbers', '1e999', ''],
  ['below all numbers', '{"a":[0,{"b/c":-1e999}]}', '/a/1/b~1c'],
  ['a text', '"1e999"', null],
  ['nothing', '{"a":null,"b":[]}', null],
])('%s', (_, text, field) => expect(findInfiniteNumber(JSON.parse(text))).toBe(field))
