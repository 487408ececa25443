import { expect, test } from '@jest/globals'
import { readOpinion } from '../opinion/read.ts'

const misread = 'documentation_misread'

test.each([
  [
    'as it was asked for',
    `Cause: ${misread}\nBecause: it sends source, not type.`,
    misread,
    'it sends source, not type.',
  ],
  ['with marks around', `**Cause:** \`${misread}\`\n\n- **Because:** x`, misread, 'x'],
  [
    'after thoughts that try others',
    `<think>Cause: instruction_not_followed?</think>\nCause: ${misread}.\nBecause: x`,
    misread,
    'x',
  ],
  ['twice the same', `Cause: ${misread}\r\nBecause: x\r\nCause: ${misread}`, misread, 'x'],
  ['without a reason', `cause: ${misread.toUpperCase()}`, misread, ''],
])('a cause is read %s', (_, answer, cause, because) => {
  expect(readOpinion(answer)).toEqual({ cause, because })
})

test.each([
  ['nothing', ''],
  ['prose that mentions one', `This looks like ${misread} to me.`],
  ['a line that says more than one', `Cause: ${misread} or instruction_not_followed`],
  ['two causes', `Cause: ${misread}\nCause: instruction_not_followed`],
  ['another word', 'Cause: laziness'],
  ['unclear itself', 'Cause: unclear\nBecause: x'],
  ['a thought without an end', `<think>\nCause: ${misread}`],
  ['what objects inherit', 'Cause: constructor'],
])('%s names none', (_, answer) => {
  expect(readOpinion(answer).cause).toBe('unclear')
})

test('a reason is cut', () => {
  expect(readOpinion(`Cause: ${misread}\nBecause: ${'x'.repeat(10_000)}`).because).toHaveLength(500)
})
