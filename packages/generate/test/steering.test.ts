/** Goals are met by every program, whatever else is asked for. */
import { describe, expect, test } from '@jest/globals'
import type { ExecutionInput } from '@stateeval/contracts'
import {
  completeDifficulty,
  countBindings,
  createRng,
  findPathTaken,
  getLevel,
  isCall,
  listExecutionPaths,
  listIfs,
  listPathInputs,
  listReferences,
  listWrittenSteps,
  measurePathDepth,
  validateProgram,
} from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { pickForRun } from '@stateeval/testkit/run-length'
import { translate } from '@stateeval/translate'
import { defaultOptions, generate, type GenerateOptions } from '../src/index.ts'
import { showsAll } from './by-running.ts'

function draw(scenario: (typeof scenarios)[number], options: Partial<GenerateOptions>) {
  const generation = generate(scenario, { ...defaultOptions, count: pickForRun(2, 12), ...options })
  const programs = []
  for (let next = generation.next(); ; next = generation.next()) {
    if (next.done) return { programs, summary: next.value }
    programs.push(next.value.program)
  }
}
const levels = pickForRun([1, 3, 5], [1, 2, 3, 4, 5])

describe.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('%s', (_, scenario) => {
  test.each(levels)('programs of level %d are as it says, and can be said', (level) => {
    const { programs, summary } = draw(scenario, { ...getLevel(scenario, level) })
    expect(summary.exhausted).toBe(false)
    const { length, pathDepth, bindings, distractors = 0 } = getLevel(scenario, level)
    for (const program of programs) {
      for (const { steps } of listExecutionPaths(program)) expect(steps.filter(isCall)).toHaveLength(length)
      expect(measurePathDepth(program)).toBeGreaterThanOrEqual(pathDepth?.min ?? 0)
      expect(measurePathDepth(program)).toBeLessThanOrEqual(pathDepth?.max ?? length)
      expect(countBindings(program)).toBeGreaterThanOrEqual(bindings?.min ?? 0)
      const read = new Set(
        listWrittenSteps(program)
          .flatMap(listReferences)
          .map(({ variable }) => variable),
      )
      const unread = program.variables.filter(({ name, role }) => role === 'user' && !read.has(name))
      expect(unread.length).toBeGreaterThanOrEqual(distractors)
      expect(translate({ program, scenario, seed: 1 }).status).toBe('verified')
    }
  })

  test('nested branches are as many as asked for, reached, observable and said', () => {
    const options = { length: 5, branches: 2.5, count: pickForRun(4, 40) }
    const { programs, summary } = draw(scenario, options)
    expect(summary.exhausted).toBe(false)
    for (const program of programs) {
      expect(validateProgram(program, scenario)).toEqual([])
      expect(program.schema).toBe(2)
      expect([2, 3]).toContain(listIfs(program).length)
      const paths = listExecutionPaths(program)
      for (const { steps } of paths) expect(steps.filter(isCall)).toHaveLength(options.length)
      const ends = paths.map(({ branch }) => branch)
      const takes = (inputs: readonly ExecutionInput[]) =>
        inputs.map((input) => findPathTaken(program, scenario, input)?.branch)
      expect(takes(listPathInputs(program))).toEqual(ends)
      expect(program.secondWorlds ?? []).toHaveLength(program.secondWorlds ? ends.length : 0)
      if (program.secondWorlds) expect(takes(program.secondWorlds)).toEqual(ends)
      for (const seed of ['vary', 'again'])
        expect(ends).toContain(takes([scenario.vary(program, createRng(seed), true)])[0])
      expect(showsAll(program, scenario)).toBe(true)
      expect(translate({ program, scenario, seed: 1 })).toMatchObject({ status: 'verified' })
    }
  })

  test('upper bounds hold, too', () => {
    const { programs } = draw(scenario, { length: 4, pathDepth: { max: 1 }, bindings: { max: 3 } })
    expect(programs.map(measurePathDepth).filter((depth) => depth > 1)).toEqual([])
    expect(programs.map(countBindings).filter((count) => count > 3)).toEqual([])
  })
})

test('the mean number of ifs is the one that is asked for, and a length of two has room for one', () => {
  const [scenario] = scenarios
  const mean = (branches: number) => {
    const { programs } = draw(scenario!, { length: 4, branches, count: 24, observable: false })
    return programs.reduce((sum, program) => sum + listIfs(program).length, 0) / programs.length
  }
  for (const branches of [0, 1, 2, 3]) expect(mean(branches)).toBe(branches)
  expect(Math.abs(mean(1.5) - 1.5)).toBeLessThan(0.35)
  expect(() => draw(scenario!, { length: 2, branches: 2 })).toThrow('branches must be at most 1')
  expect(() => draw(scenario!, { branches: 3.5 })).toThrow('branches must be from 0 to 3')
})

test('a level gives way to what is set, and its goals to a shorter path', () => {
  const [scenario] = scenarios
  expect(completeDifficulty(scenario!, {})).toEqual({ ...getLevel(scenario!, 3), difficulty: 3 })
  expect(completeDifficulty(scenario!, { branches: 0 })).toEqual({ branches: 0 })
  expect(completeDifficulty(scenario!, { difficulty: 5, branches: 0, length: 5 })).toEqual({
    ...getLevel(scenario!, 5),
    difficulty: 5,
    branches: 0,
    length: 5,
    pathDepth: { min: 1 },
    bindings: { min: 6 },
  })
})
