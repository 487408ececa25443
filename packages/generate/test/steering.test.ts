/** Goals are met by every program, whatever else is asked for. */
import { describe, expect, test } from '@jest/globals'
import {
  completeDifficulty,
  countBindings,
  getLevel,
  isCall,
  listExecutionPaths,
  listReferences,
  listWrittenSteps,
  measurePathDepth,
} from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { pickForRun } from '@stateeval/testkit/run-length'
import { translate } from '@stateeval/translate'
import { defaultOptions, generate, type GenerateOptions } from '../src/index.ts'

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

  test('upper bounds hold, too', () => {
    const { programs } = draw(scenario, { length: 4, pathDepth: { max: 1 }, bindings: { max: 3 } })
    expect(programs.map(measurePathDepth).filter((depth) => depth > 1)).toEqual([])
    expect(programs.map(countBindings).filter((count) => count > 3)).toEqual([])
  })
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
