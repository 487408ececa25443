/**
 * Programs that a scenario's generation is pinned to, as reviewable files; STATEEVAL_UPDATE_GOLDEN=1 rewrites
 * them.
 */
import { expect, test } from '@jest/globals'
import type { Program } from '@stateeval/contracts'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOptions, type GenerateOptions, generate, listOptInApis } from '@stateeval/generate'
import { emit, type Scenario } from '@stateeval/program'

const pinned = (folder: string, name: string, text: string) => {
  const file = join(folder, name)
  if (process.env['STATEEVAL_UPDATE_GOLDEN']) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
  }
  expect({ name, there: existsSync(file) }).toEqual({ name, there: true })
  expect(text).toBe(readFileSync(file, 'utf8'))
}

/**
 * A test for each set of options: what seed 42 gives is what the folder holds, as data and in every language.
 * A change here changes every benchmark. A scenario with opt-in APIs has a set that may call all of them.
 * `more` gives further texts of a program by their ending.
 */
export function pinPrograms(
  scenario: Scenario,
  folder: string,
  sets: Record<string, Partial<GenerateOptions>>,
  more: (program: Program) => Record<string, string> = () => ({}),
) {
  const apis = listOptInApis(scenario)
  const all = { ...sets, ...(apis.length > 0 && { 'opt-in': { count: 2, apis } }) }
  test.each(Object.entries(all))('%s', (name, options) => {
    for (const { index, program } of generate(scenario, { ...defaultOptions, seed: 42, ...options })) {
      pinned(folder, `${name}-${index}.json`, `${JSON.stringify(program, null, 2)}\n`)
      pinned(folder, `${name}-${index}.js`, emit(program, 'javascript') ?? '')
      pinned(folder, `${name}-${index}.py`, emit(program, 'python') ?? '')
      for (const [ending, text] of Object.entries(more(program)))
        pinned(folder, `${name}-${index}.${ending}`, text)
    }
  })
}
