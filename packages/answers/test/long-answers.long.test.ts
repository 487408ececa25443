/** Answers as long as they may be, of every shape: reading them takes time that grows with their length. */
import { expect, test } from '@jest/globals'
import { longTexts, slowness } from '@stateeval/testkit/long-texts'
import { readBlocks, readProgram, readText } from '../src/index.ts'
import { applyPatch } from '../src/patch.ts'

test.each(longTexts)('%s', (_, make) => {
  for (const language of ['javascript', 'python'] as const)
    expect(slowness((text) => readProgram(text, language), make)).toBeNull()
  expect(slowness(readText, make)).toBeNull()
  expect(slowness((text) => readBlocks(text, 'javascript'), make)).toBeNull()
  expect(slowness((text) => applyPatch(text, text), make)).toBeNull()
})
