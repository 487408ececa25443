/** What a log of Inspect AI makes of what models write; e2e/inspect.test.ts lets Inspect read whole ones. */
import { expect, test } from '@jest/globals'
import type { Transcript } from '@stateeval/contracts'
import { messagesOf, outputOf } from '../src/exports/inspect/messages.ts'

const call = (id: string, text: string) => ({ id, name: 'search', arguments: text })
const dialogue: Transcript = {
  role: 'model',
  messages: [
    { role: 'user', content: 'Find it.' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [call('a', '{"city": "Rome"}'), call('b', '["Rome"]'), call('c', '{"city": ')],
      finish: 'tool_calls',
    },
    { role: 'tool', content: 'found', toolCallId: 'a' },
    { role: 'tool', content: 'no call has this id', toolCallId: 'z' },
    { role: 'assistant', content: 'There it', finish: 'length' },
    { role: 'user', content: 'Thanks.' },
  ],
}

test('arguments that are no object become an error that quotes them; results name the function they answer', () => {
  const messages = messagesOf(dialogue, 'ev-1', 'mine')
  expect(messages).toMatchObject([
    { id: 'ev-1-0', role: 'user' },
    {
      role: 'assistant',
      model: 'mine',
      tool_calls: [
        { id: 'a', function: 'search', arguments: { city: 'Rome' } },
        { arguments: {}, parse_error: 'The arguments are no object: ["Rome"]' },
        { arguments: {}, parse_error: expect.stringContaining('{"city": ') },
      ],
    },
    { role: 'tool', tool_call_id: 'a', function: 'search' },
    { role: 'tool', tool_call_id: 'z' },
    { role: 'assistant', content: 'There it' },
    { id: 'ev-1-5', role: 'user' },
  ])
  expect(messages[3]).not.toHaveProperty('function')
})

test('the output is the last reply with why it ended; a dialogue without one has an empty output', () => {
  const messages = messagesOf(dialogue, 'ev-1', 'mine')
  expect(outputOf(dialogue, messages, 'mine')).toEqual({
    model: 'mine',
    choices: [{ message: messages[4], stop_reason: 'max_tokens' }],
    completion: 'There it',
  })
  const unanswered = { ...dialogue, messages: dialogue.messages.slice(0, 1) }
  expect(outputOf(unanswered, messages, 'mine')).toEqual({ model: 'mine', choices: [], completion: '' })
})
