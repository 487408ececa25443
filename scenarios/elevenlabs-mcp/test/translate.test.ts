/**
 * The translator's laws on this scenario: every program can be said, in one way to read it, and no mutant has
 * its sentence.
 */
import { expect, test } from '@jest/globals'
import type { Program } from '@stateeval/contracts'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import { createRng, mutationOperators, type Scenario } from '@stateeval/program'
import { translate, verify } from '@stateeval/translate'
import { elevenLabsMcp } from '../index.ts'

const scenario: Scenario = elevenLabsMcp
const long = process.env['STATEEVAL_LONG'] !== undefined
const randomPrograms = (count: number, options: Partial<GenerateOptions>): Program[] =>
  [
    ...generate(scenario, {
      ...defaultOptions,
      strategy: 'random',
      ...options,
      count: long ? count * 5 : count,
    }),
  ].map(({ program }) => program)
const programs = [
  ...randomPrograms(30, { seed: 11 }),
  ...randomPrograms(12, { seed: 12, controlFlow: false }),
  ...randomPrograms(6, { seed: 14, length: 8 }),
  ...randomPrograms(1, { seed: 15, length: 20 }),
]

test('every program has an instruction with exactly one reading, itself, at every seed', () => {
  const rejected = programs.flatMap((program) =>
    ['1', '2'].flatMap((seed) => {
      const translation = translate({ program, scenario, seed })
      return translation.status === 'rejected' ? [translation.reason] : []
    }),
  )
  expect(rejected).toEqual([])
})

test('no mutant of a program is read from its instruction', () => {
  let checked = 0
  for (const [index, program] of programs.entries()) {
    const translation = translate({ program, scenario, seed: '1' })
    if (translation.status === 'rejected') continue
    const rng = createRng(`mutants/${index}`)
    const sites = mutationOperators.flatMap((operator) => rng.sample(operator.sites(program), 1))
    for (const site of long ? sites : rng.sample(sites, 3)) {
      const mutant = site.change(rng)
      expect(verify({ program: mutant, scenario, instruction: translation.instruction })).toMatchObject({
        verified: false,
      })
      checked++
    }
  }
  expect(checked).toBeGreaterThan(120)
})

test('initial values are never said', () => {
  for (const program of programs.slice(0, 40)) {
    const translation = translate({ program, scenario, seed: '3' })
    const instruction = translation.status === 'verified' ? translation.instruction : ''
    const code = JSON.stringify([program.body, program.branch, program.result])
    for (const { values } of program.variables)
      for (const text of JSON.stringify(values).match(/"[^"]{12,}"/g) ?? [])
        if (!code.includes(text)) expect(instruction).not.toContain(text)
  }
})
