import { expect, test } from '@jest/globals'
import type { Program, ProgramStep } from '@stateeval/contracts'
import { parse } from 'acorn'
import { emit } from '../emit/index.ts'
import { createLiteral, createRef } from '../expr.ts'
import { createRng } from '../rng.ts'
import { withId } from '../canonical.ts'
import { mutate, mutationOperators } from './index.ts'

const place = { source: createRef('user', 'source'), type: createRef('user', 'type') }
const list = (binds: string): ProgramStep => ({
  kind: 'http',
  api: 'list',
  method: 'GET',
  path: '/api/things/{source}/{type}',
  args: place,
  binds,
})
const add = (binds: string): ProgramStep => ({
  kind: 'http',
  api: 'add',
  method: 'POST',
  path: '/api/things/{source}/{type}',
  body: 'data',
  args: {
    ...place,
    data: { kind: 'object', entries: { title: createLiteral('T'), size: createRef('user', 'size') } },
  },
  binds,
})
const remove = (id: ReturnType<typeof createRef>): ProgramStep => ({
  kind: 'http',
  api: 'remove',
  method: 'DELETE',
  path: '/api/things/{source}/{type}/{id}',
  args: { ...place, id },
})
const edit: ProgramStep = { kind: 'edit', target: createRef('user', 'title'), value: createLiteral('U') }
const user = (source: string) => ({ source, type: 'group', title: 'T', size: 0.5, tags: ['a', 'b'] })

const program: Program = withId({
  schema: 1,
  scenario: 'things',
  variables: [
    { name: 'user', role: 'user', values: [user('abc')] },
    { name: 'other', role: 'user', values: [user('def')] },
    { name: 'limit', role: 'placeholder', values: [2, 3] },
  ],
  world: { items: [] },
  body: [list('all'), edit, add('added')],
  branch: {
    condition: { variable: 'all', path: [], measure: 'count', equals: 'limit' },
    then: {
      steps: [remove(createRef('added', 'id')), list('left')],
      result: [{ key: 'left', value: createRef('left') }],
    },
    otherwise: {
      steps: [remove(createRef('all', 0, 'id'))],
      result: [{ key: 'all', value: createRef('all') }],
    },
  },
})
const code = (changed: Program) => emit(changed, 'javascript') as string
const sitesOf = (id: string) => mutationOperators.find((operator) => operator.id === id)?.sites(program) ?? []
const change = (id: string, where: string) => {
  const site = sitesOf(id).find((one) => one.where === where)
  if (!site)
    throw new Error(
      `${id} has: ${sitesOf(id)
        .map((one) => one.where)
        .join(' | ')}`,
    )
  return code(site.change(createRng(1)))
}

test('every change differs and can be written, whatever the seed', () => {
  for (const operator of mutationOperators) {
    for (const site of operator.sites(program)) {
      for (const seed of [1, 2, 3]) {
        const changed = site.change(createRng(seed))
        const { id } = withId(changed)
        expect([operator.id, site.where, id]).not.toEqual([operator.id, site.where, program.id])
        expect(() => parse(code(changed), { ecmaVersion: 'latest', sourceType: 'module' })).not.toThrow()
      }
    }
  }
})

test('a dropped call takes along what needs its output', () => {
  const changed = change('dropped_call', 'body[2]: add')
  expect(changed).not.toContain('added')
  expect(changed).toContain('if (all.length === limit)')
  // Without what the condition asks, no condition is left.
  expect(change('dropped_call', 'body[0]: list')).not.toContain('if (')
})

test('operators do what they are called', () => {
  expect(change('wrong_id', 'then[0].id: added.id → all[0].id')).toContain('${all[0].id}`);\n  const left')
  expect(change('wrong_id', 'otherwise[0].id: all[0].id → all[1].id')).toContain('${all[1].id}')
  expect(
    change('wrong_endpoint', 'body[0]: GET /api/things/{source}/{type} → GET /things/{source}/{type}'),
  ).toContain('`${BASE_URL}/things/')
  expect(change('swapped_arguments', 'body[0]: source and type')).toContain('/${user.type}/${user.source}`')
  expect(change('wrong_variable', 'body[0].source: user.source → other')).toContain(
    '/${other.source}/${user.type}`',
  )
  expect(change('wrong_field', 'body[0].source: user.source → title')).toContain('/${user.title}/')
  expect(change('dropped_edit', 'body[1]: user.title')).not.toContain("'U'")
  expect(change('negated_condition', 'if')).toMatch(/limit\) \{\n {2}await axios\.delete\(.*all\[0\]/)
  expect(change('ignored_condition', 'always otherwise')).not.toContain('if (')
  expect(change('wrong_result', 'then.left: left → added')).toContain('left: added')
  expect(change('swapped_calls', 'body[1] and [2]')).toMatch(/added[\s\S]*user\.title = 'U'/)
})

test('an operator is drawn uniformly from those that apply, then a site', () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 1200; n++) {
    const mutation = mutate(program, createRng(n))
    counts.set(mutation?.operator ?? 'none', (counts.get(mutation?.operator ?? 'none') ?? 0) + 1)
  }
  const applicable = mutationOperators
    .filter((operator) => operator.sites(program).length > 0)
    .map(({ id }) => id)
  expect([...counts.keys()].sort()).toEqual(applicable.toSorted())
  const fair = 1200 / applicable.length
  for (const count of counts.values()) expect(Math.abs(count - fair)).toBeLessThan(fair / 2)
})

test('nothing to change is null', () => {
  const empty = withId({ schema: 1, scenario: 'things', variables: [], world: null, body: [], result: [] })
  expect(mutate(empty, createRng(1))).toBeNull()
})

test('calls of functions and tools are mutated too', () => {
  const call = (
    api: string,
    binds: string,
    args: Record<string, ReturnType<typeof createRef>>,
  ): ProgramStep => ({
    kind: 'tool',
    api,
    args,
    binds,
  })
  const tools = withId({
    ...program,
    branch: undefined,
    body: [
      call('speak', 'a', { text: createRef('user', 'title') }),
      call('sing', 'b', { text: createRef('a') }),
    ],
    result: [{ key: 'b', value: createRef('b') }],
  })
  const operators = mutationOperators
    .filter((operator) => operator.sites(tools).length > 0)
    .map(({ id }) => id)
  expect(operators).toEqual(
    expect.arrayContaining([
      'dropped_call',
      'dropped_argument',
      'wrong_function',
      'wrong_variable',
      'wrong_field',
      'wrong_result',
    ]),
  )
  // Asking twice, or in another order, for what only gives a value never shows.
  for (const none of ['duplicated_call', 'swapped_calls']) expect(operators).not.toContain(none)
  const both = mutationOperators.find(({ id }) => id === 'wrong_function')!.sites(tools)
  expect(both.map((site) => code(site.change(createRng(1))).includes('speak({ text: a })'))).toContain(true)
})
