/** Descriptions as docstrings: each is one text of Python, whatever stands in it. */
import { expect, test } from '@jest/globals'
import { docstring } from './python-client/schema.ts'

test.each([
  ['plain', '"""plain"""'],
  ['it ends with "a quote"', '"""it ends with "a quote\\""""'],
  ['three """ of them', '"""three \'\'\' of them"""'],
  ['a \\ at the end \\', '"""a \\\\ at the end \\\\"""'],
])('%s', (text, expected) => {
  expect(docstring(text, '  ')).toBe(`  ${expected}`)
})
