/** Exported answers hold all that another evaluation needs to judge them alike. */
import { expect, test } from '@jest/globals'
import type { SampleAnswer } from '@stateeval/contracts'
import { listGivenAnswers } from './given-answers.ts'

const of = { case: 'a', sample: 0 }
const calls = [{ id: '1', name: 'list', arguments: '{}' }]
const dialogue = (...messages: object[]) =>
  [{ role: 'model', messages }] as unknown as NonNullable<SampleAnswer['transcripts']>
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
    'a dialogue on each input',
    {
      answer: 'y',
      transcripts: [...dialogue(said('x')), ...dialogue(said('y'))],
      refused: [{ transcript: 0, reason: 'too long' }],
      seeds: { 'run 0': 'a' },
    },
    {
      seeds: { 'run 0': 'a' },
      replies: [
        { transcript: 0, text: 'x' },
        { transcript: 1, text: 'y' },
        { transcript: 0, refused: 'too long' },
      ],
    },
  ],
  [
    'a dialogue that was refused',
    { answer: 'x', transcripts: dialogue(said('x')), refused: [{ transcript: 0, reason: 'too long' }] },
    { replies: [{ text: 'x' }, { refused: 'too long' }] },
  ],
  [
    'an answer behind which the dialogue outgrew the context',
    { answer: 'x', refused: [{ transcript: 0, reason: 'too long' }] },
    { replies: [{ text: 'x' }, { refused: 'too long' }] },
  ],
  [
    'several attempts',
    { answer: 'y', transcripts: dialogue(said('x'), { role: 'user', content: 'error' }, said('y')) },
    { replies: [{ text: 'x' }, { text: 'y' }] },
  ],
])('%s', (_, sample, given) => {
  expect(listGivenAnswers([{ ...of, ...sample }])).toEqual(given === null ? [] : [{ ...of, ...given }])
  const status = { notScored: 'the endpoint answered 500', reason: 'failed' } as const
  const unscored = {
    ...of,
    ...status,
    ...(sample.answer !== null && { answer: sample.answer }),
  }
  expect(listGivenAnswers([{ ...of, ...sample }], () => status)).toEqual([unscored])
})
