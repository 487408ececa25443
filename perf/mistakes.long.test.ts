/** The claims of the bench `mistakes`, on fewer programs: deterministic, no timing. */
import { expect, test } from '@jest/globals'
import { interpret, type Scenario } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { changedAlone, copiesOf, scoresOf, sum } from './mistakes.ts'
import { examples } from './mistakes/cases.ts'

const long = process.env['STATEEVAL_LONG'] !== undefined
const [seeds, count, mutants] = long ? [[1, 1009, 20260, 777001], 40, 1000] : [[1], 6, 60]
const each = scenarios.map((scenario) => [scenario.id, scenario] as const)

test.each(each)('a single change in a program of %s shows', (_, scenario) => {
  for (const seed of seeds) {
    const { sites, missed } = changedAlone(scenario, seed, count)
    expect(sites).toBeGreaterThan(20 * count)
    expect(missed.length / sites).toBeLessThanOrEqual(0.01)
    expect(missed.filter((where) => /dropped_call|constant_output/.test(where))).toEqual([])
  }
})

test.each(each)('no output of a call of %s in one world can stand for the call', (_, scenario) => {
  for (const seed of seeds) {
    const { sites, missed } = copiesOf(scenario, seed, count, {})
    expect(sites).toBeGreaterThan(5 * count)
    expect(missed).toEqual([])
    expect(copiesOf(scenario, seed, count, { secondWorlds: false }).missed.length).toBeGreaterThan(count)
  }
})

test.each(each)('random mutants of %s are caught, held against inputs near and far', (_, scenario) => {
  const { caught, near, far } = sum([...scoresOf(scenario, mutants).values()])
  expect(caught + near + far).toBeGreaterThan(mutants / 2)
  expect(caught / (caught + near + far)).toBeGreaterThanOrEqual(0.98)
})

/** How many items each call of these APIs finds. */
const finds = (scenario: Scenario, apis: readonly string[]) =>
  seeds.flatMap((seed) =>
    [...examples(scenario, seed, count)].flatMap(({ program, runs }) => {
      const lengths: number[] = []
      for (const { input } of runs)
        interpret(program, scenario, input, ({ api, args }, { output }) => {
          if (apis.includes(api) && !Object.hasOwn(args, 'search_name'))
            lengths.push((output as unknown[]).length)
        })
      return lengths
    }),
  )

test('every query and every search by category or gender finds several', () => {
  for (const scenario of scenarios) {
    const lengths = finds(scenario, ['querySessions', 'search_voice_library'])
    expect(Math.min(2, ...lengths)).toBe(2)
  }
})
