/** The English of instructions, and the pages that people read. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { scenarios } from '../index.ts'
import { instructionPage, instructions } from './instructions.ts'
import { makeLanguageCheck } from './language.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const check = await makeLanguageCheck()

test('the check finds the faults of earlier instructions', async () => {
  for (const fault of [
    'Write down what what the isolation gave says.',
    'Read the text aloud with a stability of 0.8200000000000001.',
    'If the number of dimensions that that result has equals `x`, stop.',
    "Set the title to `user_variable_1`'s title.",
    'Save this sesions as a new one.',
  ])
    expect(await check(fault)).not.toEqual([])
  expect(await check('Add `user_variable_0` as a new session with the title "stad_pfizer".')).toEqual([])
})

test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  '%s: the language check finds nothing',
  async (_, scenario) => {
    const counts = long
      ? [
          { count: 800, length: 5 },
          { count: 200, length: 12 },
        ]
      : [
          { count: 4, length: 5 },
          { count: 1, length: 12 },
        ]
    const findings: string[] = []
    for (const options of counts)
      for (const { instruction } of instructions(scenario, { ...options, seed: 7 }))
        findings.push(...(await check(instruction)))
    expect(findings).toEqual([])
  },
  long ? 600_000 : undefined,
)

test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  '%s: the page of instructions is what the translator writes',
  (_, scenario) => {
    const file = new URL(`../../docs/instructions/${scenario.id}.md`, import.meta.url)
    expect(readFileSync(file, 'utf8')).toBe(instructionPage(scenario))
  },
)
