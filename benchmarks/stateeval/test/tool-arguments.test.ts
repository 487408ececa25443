/** Arguments that JSON allows and no world takes are refused by words, and nothing of them is compared. */
import { expect, test } from '@jest/globals'
import type { ModelToolCall } from '@stateeval/contracts'
import { parseResult, resultTool } from '../tools/result-tool.ts'
import { parseLooseJson } from '../tools/graded/calls.ts'

const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
const submit = (text: string): ModelToolCall => ({ id: 'a', name: resultTool, arguments: text })

test.each([
  ['a RESULT that is nested too deeply', deep, /nested too deeply/],
  ['a number beyond all', '{"a":{"b":1e999}}', /the number at \/a\/b is beyond 1\.79/],
  ['a list', '[]', /as a JSON object$/],
  ['what is no JSON', '{', /as a JSON object$/],
])('%s is refused', (_, text, fault) => {
  expect(parseResult(submit(text))).toEqual({ fault: expect.stringMatching(fault) })
})

test('any other RESULT is taken', () => {
  expect(parseResult(submit('{"a":[1e308]}'))).toEqual({ result: { a: [1e308] } })
})

test('arguments that no world takes stay a text', () => {
  for (const text of [deep, '{"a":1e999}', '{']) expect(parseLooseJson(text)).toBe(text)
  expect(parseLooseJson('{"a":[1]}')).toEqual({ a: [1] })
})
