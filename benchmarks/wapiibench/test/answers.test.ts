/** What each policy says of answers as models give them: a table. */
import { describe, expect, test } from '@jest/globals'
import { tables } from './answers.table.ts'
import { scoreOf } from './drive.ts'
import { sampleBenchmark, sampleCases } from './sample.ts'
import { summaries } from './summary.ts'

describe.each(Object.entries(tables))('%s', (_, rows) => {
  test.each(rows)('%s', async (_, task, answer, published, sound = 'correct') => {
    expect(summaries(await scoreOf(sampleBenchmark, sampleCases[task]!, answer))).toEqual({ published, sound })
  })
})
