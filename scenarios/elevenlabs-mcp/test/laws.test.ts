import { describe, expect, test } from '@jest/globals'
import type { JsonValue } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  listAdjacentPairs,
  checkConditions,
  checkDocumentation,
  createRng,
  type Scenario,
  checkSolvedCalls,
  checkRepeatedStarts,
  checkVariedShapes,
} from '@stateeval/program'
import { elevenLabsMcp } from '../index.ts'
import { operations } from '../operations/index.ts'
import { type InitialStudio, openStudio } from '../state.ts'

const scenario: Scenario = elevenLabsMcp
const seeds = Array.from({ length: 30 }, (_, seed) => seed)

describe('the laws of scenarios', () => {
  test('every solved call succeeds, and apply changes nothing that it is given', () =>
    seeds.forEach((seed) => checkSolvedCalls(elevenLabsMcp, seed)))
  test('starts repeat and everything is JSON', () =>
    seeds.forEach((seed) => checkRepeatedStarts(elevenLabsMcp, seed)))
  test('models read of every API', () => checkDocumentation(elevenLabsMcp, ['javascript', 'python']))
  test('conditions hold', () => seeds.forEach((seed) => checkConditions(elevenLabsMcp, seed)))
  test('varied inputs keep the shape, and programs succeed on them', () => {
    for (const { program } of generate(scenario, { ...defaultOptions, count: 12, strategy: 'random' }))
      for (let seed = 0; seed < 4; seed++) checkVariedShapes(scenario, program, seed)
  })
})

test('each tool can come first, from any start', () => {
  for (const seed of seeds) {
    const { variables, world } = elevenLabsMcp.start(createRng(seed))
    const bindings = variables.map(({ name, values }) => ({
      name,
      value: values[0] as JsonValue,
      createdAt: 0,
      used: false,
    }))
    const scope = { world: openStudio(world as InitialStudio), bindings, history: [] }
    for (const operation of operations)
      expect([operation.id, [...operation.solve(scope, createRng(`${seed} solve`))].length > 0]).toEqual([
        operation.id,
        true,
      ])
  }
})

test('all 36 adjacent pairs are reached within the first programs', () => {
  const programs = [...generate(scenario, { ...defaultOptions, count: 14 })]
  expect(new Set(programs.flatMap(({ program }) => listAdjacentPairs(program))).size).toBe(36)
})

test('further inputs differ from the program’s own', () => {
  const [generated] = [...generate(scenario, { ...defaultOptions, count: 1 })]
  const inputs = Array.from({ length: 20 }, (_, index) => scenario.vary(generated!.program, createRng(index)))
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(20)
})
