/** What each policy says of answers as models give them: a table. */
import { afterEach, describe, expect, test } from '@jest/globals'
import { tables } from './answers.table.ts'
import { scoreOf } from './drive.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'
import { summaries } from './summary.ts'

/** What one answer changes, all that come after it would have. */
const members = () =>
  [Object, Array, Function, String].map(({ prototype }) => [...Reflect.ownKeys(prototype)])
const untouched = members()
afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(members()).toEqual(untouched)
})

describe.each(Object.entries(tables))('%s', (_, rows) => {
  test.each(rows)('%s', async (_, task, answer, published, sound = 'correct') => {
    expect(summaries(await scoreOf(sampleBenchmark, sampleCases[task]!, answer))).toEqual({
      published,
      sound,
    })
  })
})
