/** Exported answers hold all that another evaluation needs to judge them alike. */
import { expect, test } from '@jest/globals'
import type { SampleAnswer } from '@stateeval/contracts'
import { givenAnswers } from './given-answers.ts'

const of = { case: 'a', sample: 0 }
const calls = [{ id: '1', name: 'list', arguments: '{}' }]
const dialogue = (...messages: object[]) =>
  [{ role: 'model', messages }] as unknown as SampleAnswer['transcripts']
const said = (content: string, more: object = {}) => ({
  role: 'assistant',
  content,
  finish: 'stop',
  ...more,
})

test.each<[string, Omit<SampleAnswer, 'case' | 'sample'>, object | null]>([
  ['a text', { answer: 'x', finish: 'stop' }, { answer: 'x' }],
  ['an empty text', { answer: '', finish: 'stop' }, { answer: '' }],
  ['no answer', { answer: null }, null],
  ['a text that was cut', { answer: 'x', finish: 'length' }, { replies: [{ text: 'x', finish: 'length' }] }],
  [
    'one reply that calls',
    { answer: '', transcripts: dialogue(said('', { toolCalls: calls, finish: 'tool_calls' })) },
    { replies: [{ text: '', toolCalls: calls, finish: 'tool_calls' }] },
  ],
  [
    'one reply beside consultations',
    { answer: 'x', transcripts: dialogue({ role: 'user', content: 'q' }, said('x')) },
    { answer: 'x' },
  ],
  [
    'several attempts',
    { answer: 'y', transcripts: dialogue(said('x'), { role: 'user', content: 'error' }, said('y')) },
    { replies: [{ text: 'x' }, { text: 'y' }] },
  ],
])('%s', (_, sample, given) => {
  expect(givenAnswers([{ ...of, ...sample }])).toEqual(given === null ? [] : [{ ...of, ...given }])
  expect(givenAnswers([{ ...of, ...sample }], () => false)).toEqual([])
})
