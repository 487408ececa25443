/** What seed 42 gives, as reviewable files; STATEEVAL_UPDATE_GOLDEN=1 rewrites them. A change here changes every benchmark. */
import { expect, test } from '@jest/globals'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOptions, type GenerateOptions, generate } from '@stateeval/generate'
import { emit, type Scenario } from '@stateeval/program'
import { translate } from '@stateeval/translate'
import { tensorOperation } from '../index.ts'

const folder = join(import.meta.dirname, '../golden')
const scenario = tensorOperation as unknown as Scenario
const sets: Record<string, Partial<GenerateOptions>> = {
  planned: { count: 3 },
  coverage: { count: 1, strategy: 'coverage' },
  random: { count: 1, strategy: 'random' },
  straight: { count: 2, controlFlow: false, strategy: 'coverage' },
}

const pinned = (name: string, text: string) => {
  const file = join(folder, name)
  if (process.env['STATEEVAL_UPDATE_GOLDEN']) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
  }
  expect({ name, there: existsSync(file) }).toEqual({ name, there: true })
  expect(text).toBe(readFileSync(file, 'utf8'))
}

test.each(Object.entries(sets))('%s', (name, options) => {
  for (const { index, program } of generate(scenario, { ...defaultOptions, seed: 42, ...options })) {
    pinned(`${name}-${index}.json`, `${JSON.stringify(program, null, 2)}\n`)
    pinned(`${name}-${index}.js`, emit(program, 'javascript') ?? '')
    pinned(`${name}-${index}.py`, emit(program, 'python') ?? '')
    const translation = translate({ program, scenario, seed: 42 })
    pinned(`${name}-${index}.txt`, translation.status === 'verified' ? `${translation.instruction}\n` : translation.reason)
  }
})
