/** How deep bodies may be. */
import { expect, test } from '@jest/globals'
import { deepest, tooDeep } from '../src/http/depth.ts'

const lists = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown

test.each<[string, unknown, string | null]>([
  ['as deep as may be', lists(deepest), null],
  ['deeper', lists(deepest + 1), ''],
  ['far deeper', lists(50_000), ''],
  ['a member', { a: [1], b: { c: lists(deepest - 1) } }, '/b'],
  ['a member as deep as may be', { a: lists(deepest - 1) }, null],
  ['an ordinary body', { a: [{ b: null }, 'x'] }, null],
  ['no object', 3, null],
])('%s', (_, body, field) => expect(tooDeep(body)).toBe(field))
