/** Instructions of fixed programs as reviewable files; STATEEVAL_UPDATE_GOLDEN=1 rewrites them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { emit } from '@stateeval/program'
import { translate } from '../src/index.ts'
import { scenario } from './programs.ts'
import { fixtures } from './fixtures/programs.ts'

test.each(fixtures)('$name', ({ name, program }) => {
  const instructions = [1, 2, 3].map((seed) => {
    const translation = translate({ program, scenario, seed })
    return translation.status === 'verified' ? translation.instruction : `REJECTED: ${translation.reason}`
  })
  const text = [
    `Program\n\n${emit(program, 'javascript') ?? ''}`,
    ...instructions.map((instruction, index) => `Seed ${index + 1}\n\n${instruction}\n`),
  ].join('\n----\n\n')
  const file = new URL(`../golden/${name}.txt`, import.meta.url)
  if (process.env['STATEEVAL_UPDATE_GOLDEN']) writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
})
