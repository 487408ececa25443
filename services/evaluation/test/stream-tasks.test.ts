/** What a stream's tasks are, by its seed and options alone: laws of the layout, and what options change. */
import { expect, test } from '@jest/globals'
import { toSeedNumber, streamBlockSize, type StreamRequest } from '@stateeval/contracts'
import { defaultOptions, generate } from '@stateeval/generate'
import { listExecutionPaths, listIfs, isCall, measurePathDepth, listWrittenSteps } from '@stateeval/program'
import { findScenario } from '@stateeval/scenarios'
import fc from 'fast-check'
import {
  getBlockNumber,
  computeJobMark,
  planLayout,
  getPlaceInBlock,
  formatSetName,
  restrictDifficulty,
} from '@stateeval/environment'

const isLong = process.env['STATEEVAL_LONG'] !== undefined
const scenarios = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
const lengths = fc.tuple(fc.integer({ min: 2, max: 50 }), fc.integer({ min: 2, max: 50 })).map(([a, b]) => ({
  min: Math.min(a, b),
  max: Math.max(a, b),
}))
const seeds = fc.oneof(fc.nat(), fc.string({ minLength: 1, maxLength: 100 }))
const blocks = fc.nat({ max: 15_625_000 })

test('a layout deals each place once, evenly, and the same each time', () => {
  fc.assert(
    fc.property(scenarios, lengths, seeds, blocks, (ids, length, seed, block) => {
      const parts = planLayout(ids, { length }, seed, block)
      expect(parts).toEqual(planLayout(ids, { length }, seed, block))
      const places = parts.flatMap((part) => part.places)
      expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: streamBlockSize }, (_, n) => n))
      const sizes = parts.map((part) => part.places.length)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      for (const part of parts) {
        expect(ids).toContain(part.scenario)
        expect(part.length).toBeGreaterThanOrEqual(length.min)
        expect(part.length).toBeLessThanOrEqual(length.max)
        expect(Number.isSafeInteger(part.seed)).toBe(true)
      }
    }),
    { numRuns: isLong ? 500 : 50 },
  )
})

test('seeds, blocks and kinds of seeds differ in what they derive', () => {
  fc.assert(
    fc.property(seeds, seeds, blocks, blocks, (a, b, block, next) => {
      const derived = (seed: string | number, at: number) =>
        planLayout(['a'], { length: { min: 5, max: 5 } }, seed, at)[0]!.seed
      if (a !== b) expect(derived(a, block)).not.toBe(derived(b, block))
      if (block !== next) expect(derived(a, block)).not.toBe(derived(a, next))
      expect(computeJobMark(a, 'x', block)).not.toBe(computeJobMark(a, 'y', block))
    }),
    { numRuns: 100 },
  )
  expect(planLayout(['a'], { length: { min: 5, max: 5 } }, 7, 0)).not.toEqual(
    planLayout(['a'], { length: { min: 5, max: 5 } }, '7', 0),
  )
  for (const index of [0, 63, 64, 1_000_000_000])
    expect(getBlockNumber(index) * streamBlockSize + getPlaceInBlock(index)).toBe(index)
  expect(formatSetName('str_1', 12)).toBe('str_1/b00000012')
})

type Options = Omit<StreamRequest['options'], 'scenario'>
/** What the generator gives for the first blocks of a stream; replays drop hardly any of it. */
function tasksOf(options: Options, count: number, blockCount = 2) {
  const id = 'session-service'
  const length = { min: 5, max: 5, ...options.length }
  const parts = Array.from({ length: blockCount }, (_, block) =>
    planLayout([id], { length }, 1, block),
  ).flat()
  return parts.flatMap((part) =>
    [
      ...generate(findScenario(id)!, {
        ...defaultOptions,
        ...restrictDifficulty({ scenario: id, ...options, length }),
        strategy: 'coverage',
        count: Math.ceil((part.places.length * count) / streamBlockSize),
        length: part.length,
        seed: toSeedNumber(part.seed),
      }),
    ].map(({ program }) => ({
      length: Math.max(...listExecutionPaths(program).map(({ steps }) => steps.filter(isCall).length)),
      branch: program.branch !== undefined,
      ifs: listIfs(program).length,
      depth: measurePathDepth(program),
      apis: new Set(
        listWrittenSteps(program)
          .filter(isCall)
          .map(({ api }) => api),
      ),
    })),
  )
}

const apis = ['addSession', 'listSessions', 'deleteSession']
const variants: Record<string, Options> = {
  default: {},
  'length 3': { length: { min: 3, max: 3 } },
  'length 3-8': { length: { min: 3, max: 8 } },
  'length 12': { length: { min: 12, max: 12 } },
  'branches 0': { branches: 0 },
  'branches 1': { branches: 1 },
  'branches 2': { branches: 2 },
  'path depth 0-1': { pathDepth: { max: 1 } },
  'path depth 2-': { pathDepth: { min: 2 } },
  'three APIs': { apis },
}

test.each(Object.entries(variants))('%s changes the tasks as it says', (name, options) => {
  const { length: { min = 5, max = 5 } = {}, branches, pathDepth: depth = {} } = options
  const tasks = tasksOf(options, isLong ? streamBlockSize : 4, isLong ? 2 : 1)
  const lengths = tasks.map((task) => task.length)
  const called = new Set(tasks.flatMap((task) => [...task.apis]))
  expect([Math.min(...lengths) >= min, Math.max(...lengths) <= max]).toEqual([true, true])
  for (const task of tasks) {
    if (branches !== undefined) expect(task.ifs).toBe(branches)
    expect(task.depth).toBeGreaterThanOrEqual(depth.min ?? 0)
    expect(task.depth).toBeLessThanOrEqual(depth.max ?? 50)
  }
  if (options.apis) expect([...called].filter((api) => !options.apis!.includes(api))).toEqual([])
  if (!isLong) return
  expect(tasks).toHaveLength(2 * streamBlockSize)
  if (branches === undefined) expect(new Set(tasks.map(({ branch }) => branch)).size).toBe(2)
  const share = (of: number) => `${Math.round((100 * of) / tasks.length)} %`
  const spread = (values: number[]) =>
    [...Map.groupBy(values, (value) => value)]
      .sort(([a], [b]) => a - b)
      .map(([value, all]) => `${value}: ${share(all.length)}`)
      .join(', ')
  const mean = tasks.reduce((sum, task) => sum + task.apis.size, 0) / tasks.length
  const row = [
    name,
    spread(lengths),
    share(tasks.filter(({ branch }) => branch).length),
    spread(tasks.map((task) => task.depth)),
    `${called.size} (${mean.toFixed(1)} per task)`,
  ]
  console.info(`| ${row.join(' | ')} |`)
})
