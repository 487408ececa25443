/** Answers as threads and model cards show them. */
import { expect, test } from '@jest/globals'
import { readProgram } from '../src/index.ts'
import { corpus } from './corpus.ts'

test('there are enough answers, from many sources', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(150)
  expect(new Set(corpus.map(({ source }) => source)).size).toBeGreaterThanOrEqual(50)
})

test.each(corpus.map((one) => [one.file, one] as const))('%s', (_, { answer, language, kind, expected }) => {
  const reading = readProgram(answer, language)
  if (kind === 'program') expect(reading).toEqual({ code: expected })
  else expect(reading).toEqual({ none: expect.stringContaining(expected) })
})

test('what is read is read again as itself', () => {
  for (const { file, kind, language, expected } of corpus) {
    if (kind !== 'program') continue
    // A program may itself have a fence: one that is longer holds it.
    const again = readProgram(`\`\`\`\`\`${language}\n${expected}\n\`\`\`\`\``, language)
    expect([file, again]).toEqual([file, { code: expected }])
  }
})
