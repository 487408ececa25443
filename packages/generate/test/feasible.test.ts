import { expect, test } from '@jest/globals'
import { type ScenarioOperation, formatPair, type Scenario } from '@stateeval/program'
import { sessionService } from '@stateeval/scenario-session-service'
import { defaultOptions, listFeasiblePairs, generate } from '../src/index.ts'

interface File {
  open: boolean
  sealed: boolean
  writes: number
}
type Rule = [possible: (file: File) => boolean, after: (file: File) => Partial<File>]
/**
 * A file: opened, written, closed, opened again. It can be sealed once it was written twice, and nothing
 * comes after.
 */
const rules: Record<string, Rule> = {
  open: [({ open }) => !open, () => ({ open: true })],
  write: [({ open }) => open, ({ writes }) => ({ writes: writes + 1 })],
  close: [({ open }) => open, () => ({ open: false })],
  seal: [({ open, writes }) => !open && writes >= 2, () => ({ sealed: true })],
}
const possible = (file: File, api: string) => !file.sealed && (rules[api] as Rule)[0](file)
const after = (file: File, api: string): File => ({ ...file, ...(rules[api] as Rule)[1](file) })
const closed: File = { open: false, sealed: false, writes: 0 }

const operations = Object.keys(rules).map((id) => ({
  id,
  *solve({ world }: { world: File }) {
    if (possible(world, id)) yield { call: { kind: 'http', api: id, args: {} }, consumes: [] }
  },
  apply: (world: File) => ({ ok: true, world: after(world, id), affects: [], reads: [] }),
}))
const files = () =>
  ({
    id: 'files',
    operations: operations as unknown as ScenarioOperation<File>[],
    start: () => ({ variables: [], world: null }),
    open: () => closed,
  }) as unknown as Scenario

/** Every sequence of so many calls. */
function sequences(file: File, length: number): string[][] {
  if (length === 0) return [[]]
  return Object.keys(rules)
    .filter((api) => possible(file, api))
    .flatMap((api) => sequences(after(file, api), length - 1).map((rest) => [api, ...rest]))
}

test.each([2, 3, 4, 5, 6, 8])(
  'pairs that traces of %d calls can hold are those of all sequences there are',
  (length) => {
    const all = sequences(closed, length).flatMap((apis) =>
      apis.slice(1).map((api, n) => formatPair(apis[n] as string, api)),
    )
    expect([...listFeasiblePairs(files(), { length, apis: [] })].sort()).toEqual([...new Set(all)].sort())
  },
)

test('no program holds another pair; the search is kept, and the same each time', () => {
  const scenario: Scenario = sessionService
  for (const [length, apis] of [
    [2, []],
    [5, []],
    [2, ['getSession']],
  ] as const) {
    const feasible = listFeasiblePairs(scenario, { length, apis })
    expect(listFeasiblePairs(scenario, { length, apis })).toBe(feasible)
    expect(listFeasiblePairs({ ...scenario }, { length, apis })).toEqual(feasible)
    for (const { adjacent } of generate(scenario, {
      ...defaultOptions,
      strategy: 'random',
      observable: false,
      count: 60,
      length,
      apis,
    }))
      for (const pair of adjacent) expect(feasible).toContain(pair)
  }
  // A program of two calls begins with a list, a query or an add: it knows no id yet.
  expect(listFeasiblePairs(scenario, { length: 2, apis: [] }).size).toBeLessThan(25)
  expect(listFeasiblePairs(scenario, { length: 5, apis: [] }).size).toBe(25)
})
