import { expect, test } from '@jest/globals'
import type { Call, Program, StepBlock } from '@stateeval/contracts'
import {
  buildInput,
  countBindings,
  createRef,
  emit,
  findBlock,
  interpret,
  isNested,
  listAdjacentPairs,
  listExecutionPaths,
  listIfs,
  listInputs,
  listWrittenSteps,
  mapBlocks,
  measurePathDepth,
  mutationOperators,
  type Scenario,
  validateProgram,
  withId,
} from '../src/index.ts'

const tool = (api: string, binds: string, from?: string): Call => ({
  kind: 'tool',
  api,
  args: from === undefined ? {} : { x: createRef(from) },
  binds,
})
const end = (step: Call, key = 'end'): StepBlock => ({
  steps: [step],
  result: [{ key, value: createRef(step.binds!) }],
})
const asks = (variable: string, equals: string) => ({
  variable,
  path: [],
  measure: 'value' as const,
  equals,
})
const constants = ['first', 'second', 'third'].map((name, n) => ({
  name,
  role: 'placeholder' as const,
  values: [n, -1],
}))

/** An if in each branch: four paths. Each call answers with its letter's place. */
const nested = withId({
  schema: 1,
  scenario: 'letters',
  variables: constants,
  world: null,
  body: [tool('a', 'r0')],
  branch: {
    condition: asks('r0', 'first'),
    then: {
      steps: [tool('b', 'r1', 'r0')],
      result: [],
      branch: {
        condition: asks('r1', 'second'),
        then: end(tool('c', 'r2', 'r1')),
        otherwise: end(tool('d', 'r3', 'r0')),
      },
    },
    otherwise: {
      steps: [tool('c', 'r4', 'r0')],
      result: [],
      branch: {
        condition: asks('r4', 'third'),
        then: end(tool('d', 'r5', 'r4')),
        otherwise: end(tool('a', 'r6', 'r4'), 'other'),
      },
    },
  },
})
const letters = {
  operations: ['a', 'b', 'c', 'd'].map((id, output) => ({
    id,
    apply: (world: string, { x }: Record<string, unknown>) => ({
      ok: true,
      world: `${world}${id}${x === undefined ? '' : String(x)}`,
      output,
      affects: [],
      reads: [],
    }),
  })),
  open: () => '',
  observe: (state: string) => ({ state, ids: { initial: [], created: [] }, log: [] }),
} as unknown as Scenario

const run = (program: Program, path: number) => interpret(program, letters, buildInput(program, path))

test('a program with an if in a branch is schema 2, and one without is schema 1', () => {
  expect(nested.schema).toBe(2)
  expect(validateProgram(nested)).toEqual([])
  const straight = withId({
    ...nested,
    branch: { ...nested.branch!, then: end(tool('b', 'r1')), otherwise: end(tool('c', 'r2')) },
  })
  expect(straight.schema).toBe(1)
  expect(validateProgram({ ...straight, schema: 2 })).toEqual([])
  expect(validateProgram({ ...nested, schema: 1 })).toEqual([
    '/schema: a program with an if/else in a branch must have schema 2',
  ])
})

test.each<[string, (block: StepBlock) => StepBlock, string]>([
  [
    'a result before an if',
    (block) => ({ ...block, result: [{ key: 'k', value: createRef('r0') }] }),
    '/branch/then/result',
  ],
  [
    'a name of another branch',
    (block) => ({ ...block, steps: [tool('b', 'r1', 'r4')] }),
    '/branch/then/steps/0',
  ],
  [
    'a name that is bound twice',
    (block) => ({ ...block, steps: [tool('b', 'r5')] }),
    '/branch/otherwise/branch/then/steps/0/binds',
  ],
  [
    'a constant of two conditions',
    (block) => ({ ...block, branch: { ...block.branch!, condition: asks('r1', 'first') } }),
    '/branch: first',
  ],
])('%s is named with its place', (_, change, place) =>
  expect(
    validateProgram(
      withId(mapBlocks(nested, (block, name) => (name === 'then' ? change(block) : block))),
    ).map((fault) => fault.slice(0, place.length)),
  ).toContain(place),
)

test('a fourth if on a path is refused', () => {
  const deep = mapBlocks(nested, (block, name) =>
    name === 'then/then'
      ? {
          steps: block.steps,
          result: [],
          branch: {
            condition: asks('r2', 'fourth'),
            then: end(tool('a', 's0')),
            otherwise: end(tool('a', 's1')),
          },
        }
      : block,
  )
  const variables = [...constants, { name: 'fourth', role: 'placeholder' as const, values: [1, 2] }]
  expect(validateProgram(withId({ ...deep, variables }))).toEqual([])
  const deeper = mapBlocks(deep, (block, name) =>
    name === 'then/then/then'
      ? {
          ...block,
          result: [],
          branch: {
            condition: asks('r2', 'fifth'),
            then: end(tool('a', 't0')),
            otherwise: end(tool('a', 't1')),
          },
        }
      : block,
  )
  expect(validateProgram(withId({ ...deeper, variables })).join()).toMatch(
    /branch\/then\/branch\/then.*branch/,
  )
})

test('each path has an input that takes it', () => {
  const ends = ['then/then', 'then/otherwise', 'otherwise/then', 'otherwise/otherwise']
  expect(listExecutionPaths(nested).map(({ branch }) => branch)).toEqual(ends)
  expect(listInputs(nested)).toHaveLength(4)
  // `c` answers 2 and is compared with the third constant: 2.
  expect(ends.map((_, path) => run(nested, path))).toMatchObject(ends.map((branch) => ({ ok: true, branch })))
  expect(run(nested, 1)).toMatchObject({ tested: [0, 1], world: { state: 'ab0d0' } })
})

test('metrics follow all branches', () => {
  expect(listWrittenSteps(nested)).toHaveLength(7)
  expect(listAdjacentPairs(nested)).toEqual(['a > b', 'b > c', 'b > d', 'a > c', 'c > d', 'c > a'])
  expect(measurePathDepth(nested)).toBe(2)
  expect(countBindings(nested)).toBe(6)
})

test('both languages have the ifs where the program has them', () => {
  expect(emit(nested, 'javascript')).toBe(`const r0 = await a({});
if (r0 === first) {
  const r1 = await b({ x: r0 });
  if (r1 === second) {
    const r2 = await c({ x: r1 });
    RESULT = { end: r2 };
  } else {
    const r3 = await d({ x: r0 });
    RESULT = { end: r3 };
  }
} else {
  const r4 = await c({ x: r0 });
  if (r4 === third) {
    const r5 = await d({ x: r4 });
    RESULT = { end: r5 };
  } else {
    const r6 = await a({ x: r4 });
    RESULT = { other: r6 };
  }
}
`)
  expect(emit(nested, 'python')).toBe(`r0 = a()
if r0 == first:
    r1 = b(x=r0)
    if r1 == second:
        r2 = c(x=r1)
        RESULT = {"end": r2}
    else:
        r3 = d(x=r0)
        RESULT = {"end": r3}
else:
    r4 = c(x=r0)
    if r4 == third:
        r5 = d(x=r4)
        RESULT = {"end": r5}
    else:
        r6 = a(x=r4)
        RESULT = {"other": r6}
`)
})

test('mistakes are made at every if', () => {
  const sites = (id: string) =>
    mutationOperators
      .find((operator) => operator.id === id)!
      .sites(nested)
      .map((site) => ({ where: site.where, program: withId(site.change({} as never)) }))
  const ifs = ['if', 'if in then', 'if in otherwise']
  expect(sites('negated_condition').map(({ where }) => where)).toEqual(ifs)
  expect(sites('ignored_condition').map(({ where }) => where)).toEqual([
    'always then',
    'always otherwise',
    ...['then', 'otherwise'].flatMap((block) =>
      ['then', 'otherwise'].map((side) => `if in ${block}: always ${side}`),
    ),
  ])
  const all = ['negated_condition', 'ignored_condition', 'wrong_result', 'dropped_call'].flatMap(sites)
  for (const { program } of all) {
    expect(validateProgram(program)).toEqual([])
    expect(program.schema).toBe(isNested(program) ? 2 : 1)
    expect(program.id).not.toBe(nested.id)
  }
  const dropped = sites('dropped_call').map(({ program }) => listIfs(program).length)
  // Without the variable that a condition tests, the first branch is taken.
  expect(dropped).toEqual([0, 2, 3, 3, 2, 3, 3])
  const swapped = sites('negated_condition')[2]!.program
  expect(findBlock(swapped, 'otherwise/then')).toEqual(findBlock(nested, 'otherwise/otherwise'))
})
