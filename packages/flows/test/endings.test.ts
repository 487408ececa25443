/** Endings of answers: what is counted of each, and from which share on a report warns. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { countEndings, listFrequentEndings } from '../src/endings.ts'
import type { EpisodeEntry } from '../src/dialogue.ts'

const reply = (content: string, finish?: string): EpisodeEntry => ({
  transcript: 0,
  role: 'model',
  messages: [{ role: 'assistant', content, ...(finish !== undefined && { finish }) }],
})
const asked: EpisodeEntry = { transcript: 0, role: 'model', messages: [{ role: 'user', content: 'Hi</s>' }] }

test('every answer of the model counts, with what is unusual about its end', () => {
  const spoken: EpisodeEntry = {
    ...(reply('Thanks</s>') as EpisodeEntry & { messages: unknown }),
    role: 'user',
  }
  expect(
    countEndings([
      asked,
      reply('5', 'stop'),
      reply('', 'tool_calls'),
      reply('5</s>', 'stop'),
      reply('5<|no_table_has_it|>', 'stop'),
      reply('<think>So', 'length'),
      reply('<think>So</think>5', 'eos_token'),
      spoken,
      reply('5', 'a_new_word'),
      reply('5'),
    ]),
  ).toEqual({
    answers: 8,
    unusual: {
      'leftover </s>': 1,
      'leftover <|no_table_has_it|>': 1,
      'thought <think>': 1,
      'finish length': 1,
      'finish a_new_word': 1,
    },
  })
})

test('a report warns of exactly those in which at least 5 % of all answers end', () => {
  const endings = fc.record({
    answers: fc.integer({ min: 1, max: 30 }),
    unusual: fc.dictionary(
      fc.constantFrom('leftover </s>', 'finish length', 'finish a b'),
      fc.integer({ min: 1, max: 3 }),
    ),
  })
  fc.assert(
    fc.property(fc.array(fc.option(endings, { nil: undefined })), (all) => {
      const of = all.reduce((sum, one) => sum + (one?.answers ?? 0), 0)
      const warned = listFrequentEndings(all)
      for (const name of ['leftover </s>', 'finish length', 'finish a b']) {
        const answers = all.reduce((sum, one) => sum + (one?.unusual[name] ?? 0), 0)
        const [kind, mark] = [name.slice(0, name.indexOf(' ')), name.slice(name.indexOf(' ') + 1)]
        const expected = answers > 0 && answers / of >= 0.05 ? [{ kind, mark, answers, of }] : []
        expect(warned.filter((one) => one.kind === kind && one.mark === mark)).toEqual(expected)
      }
      expect(warned.map(({ answers }) => answers)).toEqual(
        warned.map(({ answers }) => answers).toSorted((a, b) => b - a),
      )
    }),
  )
  const one = { answers: 1, unusual: { 'finish refusal': 1 } }
  const others = (answers: number) => ({ answers, unusual: {} })
  expect(listFrequentEndings([one, others(19)])).toEqual([
    { kind: 'finish', mark: 'refusal', answers: 1, of: 20 },
  ])
  expect(listFrequentEndings([one, others(20)])).toEqual([])
  expect(listFrequentEndings([])).toEqual([])
})
