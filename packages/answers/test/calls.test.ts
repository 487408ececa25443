/** Calls in the notations of model families: answers with what they call, and each notation at length. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { leastEffort } from '@stateeval/testkit/each-time'
import {
  callMarks,
  callNotations,
  findLayout,
  listAnswerMarks,
  readCalls,
  tokenFamilies,
} from '../src/index.ts'

const folder = new URL('./calls/', import.meta.url)
const form = /^source: https:\/\/.+\n=== answer\n([^]*)\n=== calls\n([^]*)$/
const corpus = readdirSync(folder).map((file) => {
  const [, answer, calls] = form.exec(readFileSync(new URL(file, folder), 'utf8')) ?? []
  if (answer === undefined) throw new Error(`${file} has another form than the files beside it`)
  return { file, answer, calls: calls!.split('\n').slice(0, -1) }
})

test.each(corpus)('$file', ({ answer, calls }) =>
  expect(readCalls(answer).map(({ name, arguments: args }) => `${name} ${args}`)).toEqual(calls),
)

test('the marks of a call are nothing that a server left behind', () => {
  const tokens = new Set(tokenFamilies.flatMap(({ ends, begins = [] }) => [...ends, ...begins]))
  const ends = ['<｜tool▁calls▁end｜>', '<|tool_calls_section_end|>', '<|END_ACTION|>', '<|/tool_call|>']
  for (const answer of [...corpus.map((one) => one.answer), ...ends.map((end) => `{"name": "f"}${end}`)]) {
    const { leftover } = listAnswerMarks(answer)
    if (leftover !== null) expect([answer, tokens.has(leftover)]).toEqual([answer, true])
  }
})

test('each notation has an answer', () => {
  const begun = callNotations.filter(({ begins }) =>
    corpus.some(({ answer }) => new RegExp(begins).test(answer)),
  )
  expect(begun.map(({ family }) => family)).toEqual(callNotations.map(({ family }) => family))
})

test('each call has a layout to ask for it in texts; words about a tool have none', () => {
  for (const { file, answer, calls } of corpus) {
    const [name = 'none'] = calls.map((call) => call.split(' ', 1)[0]!)
    expect([file, findLayout(answer, name)]).toEqual([file, calls.length > 0 ? expect.anything() : null])
  }
  for (const { mark, layout = 'qwen', source } of callMarks) {
    expect(findLayout(`${mark} "name": "f"`, 'f')).toBe(layout)
    expect(findLayout(mark, 'another')).toBeNull()
    expect(source).toMatch(/^https:\/\//)
  }
})

test.each(corpus)('$file many times, or broken off anywhere, takes no effort', ({ answer }) => {
  const read = () => {
    readCalls(answer.repeat(Math.ceil(100_000 / answer.length)))
    for (const part of answer.split(/(?<=[>\]"])/)) readCalls(part.repeat(Math.ceil(20_000 / part.length)))
  }
  expect(leastEffort(read, 5000)).toBeLessThanOrEqual(5000)
})
