import { describe, expect, test } from '@jest/globals'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  checkConditions,
  createRng,
  checkDocumentation,
  type Scenario,
  checkSolvedCalls,
  checkRepeatedStarts,
  checkVariedShapes,
} from '@stateeval/program'
import { contentText } from '@stateeval/world-model'
import { sessionService } from '../index.ts'
import { type SessionDraft } from '../state.ts'

const seeds = Array.from({ length: 30 }, (_, seed) => seed)

describe('the laws of scenarios', () => {
  test('every solved call succeeds, and apply changes nothing that it is given', () =>
    seeds.forEach((seed) => checkSolvedCalls(sessionService, seed)))
  test('starts repeat and everything is JSON', () =>
    seeds.forEach((seed) => checkRepeatedStarts(sessionService, seed)))
  test('models read of every API', () => checkDocumentation(sessionService, ['javascript', 'python']))
  test('conditions hold', () => seeds.forEach((seed) => checkConditions(sessionService, seed)))
  test('varied inputs keep the shape, and programs succeed on them', () => {
    const scenario: Scenario = sessionService
    for (const { program } of generate(scenario, { ...defaultOptions, count: 20, strategy: 'random' }))
      for (let seed = 0; seed < 5; seed++) checkVariedShapes(scenario, program, seed)
  })
})

describe('a start', () => {
  const starts = seeds.map((seed) => {
    const { variables, world } = sessionService.start(createRng(seed))
    return {
      users: variables.map(({ values }) => values[0] as SessionDraft),
      items: (world as { items: SessionDraft[] }).items,
    }
  })
  const place = ({ source, type }: SessionDraft) => `${source}/${type}`

  test('has 7 to 11 remote items and 2 or 3 variables, with sources of three characters or more', () => {
    for (const { users, items } of starts) {
      expect([7, 8, 9, 10, 11]).toContain(items.length)
      expect([2, 3]).toContain(users.length)
      for (const { source } of [...users, ...items]) expect(source).toMatch(/^[\w.-]{3,}$/)
    }
  })
  test('has items that share source and type, which a variable hits', () => {
    for (const { users, items } of starts) {
      const counts = users.map((user) => items.filter((item) => place(item) === place(user)).length)
      expect(Math.max(...counts)).toBeGreaterThan(1)
    }
  })
  test('has no two equal items', () => {
    for (const { items } of starts)
      expect(new Set(items.map((item) => place(item) + contentText(item.data))).size).toBe(items.length)
  })
  test('has no integral float and no float at all', () => {
    const numbers = JSON.stringify(starts).match(/:-?\d[\d.eE+-]*/g) ?? []
    expect(numbers.filter((number) => !/^:-?\d+$/.test(number))).toEqual([])
  })
})

test('further inputs differ from the program’s own and exercise both branches', () => {
  const scenario: Scenario = sessionService
  const branched = Array.from(generate(scenario, { ...defaultOptions, count: 12, strategy: 'random' })).find(
    ({ program }) => program.branch,
  )
  const inputs = Array.from({ length: 20 }, (_, index) => scenario.vary(branched!.program, createRng(index)))
  expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBeGreaterThan(15)
  const worlds = inputs.map((input) => (input.world as { items: unknown[] }).items.length)
  expect(Math.max(...worlds)).toBeGreaterThan((branched!.program.world as { items: unknown[] }).items.length)
})
