/** The English of instructions, and the pages that people read. */
import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { scenarios } from '../index.ts'
import { formatInstructionPage, instructions } from './instructions.ts'
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

/** Digests of the pages of instructions: `node scripts/instructions.ts SCENARIO` prints a page. */
const pageDigests: Readonly<Record<string, string>> = {
  'elevenlabs-mcp': 'f12ec6f62d1b43cb1e146e0d1a86597b9048aea07dd6cb2eef21b02f4f33d72c',
  'session-service': '7a8794f6038701d4a62db167cf0a65e5d1253202ef7e74c4eb48968e8d72e4a4',
  'tensor-operation': '23c1d55e92b0369c0709b6eeb307e49a80759f01cf0025a9104a41c58d460360',
}

test.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
  '%s: the translator writes the same instructions as before',
  (id, scenario) => {
    const page = formatInstructionPage(scenario)
    expect(createHash('sha256').update(page).digest('hex')).toBe(pageDigests[id])
  },
)
