/** How an answer is read: as released, and soundly. */
import { expect, test } from '@jest/globals'
import { extractPublished } from '../answer/published.ts'
import { extractSoundly } from '../answer/sound.ts'
import { read } from '../readings.ts'

const fenced = (code: string, language = 'python') => `\`\`\`${language}\n${code}\n\`\`\``
const trimmed = (code: string | null) => code?.trim() ?? null

test.each<[string, string, string | null, string | null]>([
  ['one block', fenced('RESULT = 1'), 'RESULT = 1', 'RESULT = 1'],
  ['the last of several', `${fenced('a = 1')}\nthen\n${fenced('RESULT = 2')}`, 'RESULT = 2', 'RESULT = 2'],
  [
    'a last block that shows output',
    `${fenced('RESULT = 1')}\nIt prints:\n${fenced('1', 'text')}`,
    '1',
    'RESULT = 1',
  ],
  ['no fence', 'RESULT = `1`', 'RESULT = 1', 'RESULT = `1`'],
  ['a fence that is cut off', '```python\nRESULT = 1', 'python\nRESULT = 1', 'RESULT = 1'],
  ['thoughts', `<think>\n${fenced('no = 1')}\n</think>\nRESULT = 1`, 'no = 1', 'RESULT = 1'],
  [
    'thoughts under another name',
    `<thinking>\n${fenced('no = 1')}\n</thinking>\nRESULT = 1`,
    'no = 1',
    'RESULT = 1',
  ],
  ['thoughts that never end', `<think>\n${fenced('no = 1')}\nor`, 'no = 1', null],
  ['a tag in the code', fenced('RESULT = "</think>"'), 'RESULT = "</think>"', 'RESULT = "</think>"'],
  ['nothing', ' \n', null, null],
  ['an empty block', fenced(''), null, null],
  ['exit is deleted', fenced('import sys\nsys.exit()'), 'import sys\nsys.', 'import sys\nsys.exit()'],
])('%s', (_, answer, published, sound) => {
  expect([trimmed(extractPublished(answer)), trimmed(extractSoundly(answer))]).toEqual([published, sound])
})

test.each<[string, string, number]>([
  ['both read the same', 'RESULT = 1', 1],
  ['an exit is deleted by one', 'RESULT = 1\nexit()', 2],
  ['a guard does nothing as released', 'if __name__ == "__main__":\n    RESULT = 1', 2],
  ['an address with two braces', 'requests.get(f"{{BASE_URL}}/x")', 2],
  ['an address with one', 'requests.get(f"{BASE_URL}/x")', 1],
])('programs that run: %s', (_, code, programs) => {
  expect(read(fenced(code), 'session').programs).toHaveLength(programs)
})

test('an answer without code runs nothing', () => {
  expect(read('```\n```', 'voice')).toEqual({
    programs: [],
    readings: ['published', 'sound'].map((policy) => ({
      policy,
      none: 'there is no code in the answer',
      run: null,
    })),
  })
})
