import { expect, test } from '@jest/globals'
import type { Call, LocalEdit, Program, ProgramStep } from '@stateeval/contracts'
import {
  computeAdjacentCoverage,
  listAdjacentPairs,
  countBindings,
  countTokens,
  createLiteral,
  measure,
  measurePathDepth,
  measureReleased,
  metricsVersion,
  createRef,
  validateProgram,
  withId,
} from '../src/index.ts'

const call = (api: string, args: Call['args'] = {}, binds?: string): Call => ({
  kind: 'tool',
  api,
  args,
  ...(binds ? { binds } : {}),
})
const request = (args: Call['args'] = { source: createLiteral('a'), type: createLiteral('b') }) =>
  ({ kind: 'http', api: 'a', method: 'GET', path: '/api/{source}/{type}', args }) as const
const program = (body: ProgramStep[], rest: Partial<Program> = {}): Program =>
  withId({
    schema: 1,
    scenario: 'none',
    variables: [{ name: 'user', role: 'user', values: [{ a: 1 }] }],
    world: null,
    body,
    ...(rest.branch ? {} : { result: [] }),
    ...rest,
  })
const branched = program([call('a', {}, 'r0'), call('b', { x: createRef('r0') }, 'r1')], {
  variables: [
    { name: 'user', role: 'user', values: [{ a: 1 }] },
    { name: 'limit', role: 'placeholder', values: [1, 2] },
  ],
  branch: {
    condition: { variable: 'r1', path: [], measure: 'value', equals: 'limit' },
    then: {
      steps: [call('c', { x: createRef('r1') }, 'r2'), call('d', { x: createRef('r2'), y: createRef('r0') })],
      result: [],
    },
    otherwise: { steps: [call('e', { x: createRef('r1') }, 'r3'), call('a')], result: [] },
  },
})

test('adjacent pairs follow the control flow: never the last of then with the first of otherwise', () => {
  expect(listAdjacentPairs(branched)).toEqual(['a > b', 'b > c', 'c > d', 'b > e', 'e > a'])
})

test('adjacent transition coverage is a share of all pairs, and of those that are feasible', () => {
  expect(computeAdjacentCoverage(1, 2, 3)).toEqual({ pairs: 1, ofSquare: 0.25, ofFeasible: 1 / 3 })
  expect(computeAdjacentCoverage(2, 2)).toEqual({ pairs: 2, ofSquare: 0.5, ofFeasible: null })
})

test('path depth is the longest chain of a path, bindings are counted once where they are written', () => {
  expect(measurePathDepth(branched)).toBe(3)
  expect(countBindings(branched)).toBe(5)
  expect(measurePathDepth(program([call('a'), call('b')]))).toBe(0)
})

test('a value that is edited in carries its origin; overwritten, it doesn’t', () => {
  const edit = (value: LocalEdit['value']): LocalEdit => ({
    kind: 'edit',
    target: createRef('user', 'a'),
    value,
  })
  const uses = call('b', { x: createRef('user') })
  expect(countBindings(program([call('a', {}, 'r0'), edit(createRef('r0', 'id')), uses]))).toBe(1)
  expect(
    countBindings(program([call('a', {}, 'r0'), edit(createRef('r0', 'id')), edit(createLiteral(1)), uses])),
  ).toBe(0)
  expect(
    countBindings(
      program([
        call('a', {}, 'r0'),
        edit(createRef('r0', 'id')),
        call('b', { x: createRef('user', 'other') }),
      ]),
    ),
  ).toBe(0)
})

test.each([
  [
    'methods of responses count and are read, a call in a test is not',
    `response = requests.get(f"{BASE_URL}/a")
response.raise_for_status()
first = response.json()
if len(first) == user_constant and check(first):
    response = requests.put(f"{BASE_URL}/a/{first[0]['id']}", json=user["data"])`,
    { functionCalls: 4, pathDepth: 1, bindingCount: 2 },
  ],
  [
    'a part that is set carries the origin on, and a loop does',
    `a = torch.cat((x, y), 0)
user["data"] = a
b = torch.split(user, 2)
for part in b:
    c = torch.cat((part, a), dim=len(b))`,
    { functionCalls: 3, pathDepth: 2, bindingCount: 4 },
  ],
  [
    'the longest path is a simple one',
    `a = f()
b = g(a)
a = h(b, keyword=a)
RESULT = {"value": a, "k": sorted(b)}`,
    { functionCalls: 3, pathDepth: 1, bindingCount: 3 },
  ],
])('by the released analyser, %s', (_, code, expected) => {
  expect(measureReleased(code)).toEqual(expected)
})

test('tokens are those of cl100k_base', async () => {
  const { codeTokens, functionCalls, instructionTokens } = await measure(branched, {
    instruction: 'hello world',
  })
  expect(instructionTokens).toBe(2)
  expect(functionCalls).toBe(6)
  expect(codeTokens).toBeGreaterThan(50)
})

test.each([
  [
    'an unknown name',
    program([call('a', { x: createRef('nobody') })]),
    '/body/0: no variable is named nobody here',
  ],
  [
    'a name used before it is bound',
    program([call('a', { x: createRef('r0') }), call('b', {}, 'r0')]),
    '/body/0',
  ],
  ['a name bound twice', program([call('a', {}, 'r0'), call('b', {}, 'r0')]), '/body/1/binds'],
  [
    'a key that stands twice',
    program([call('a', {}, 'r0')], {
      result: [
        { key: 'k', value: createRef('r0') },
        { key: 'k', value: createRef('r0') },
      ],
    }),
    '/result: the key k',
  ],
  [
    'a name of the other branch',
    program([call('a', {}, 'r0')], {
      ...branched,
      body: branched.body,
      branch: { ...branched.branch!, otherwise: { steps: [call('a', { x: createRef('r2') })], result: [] } },
    }),
    '/branch/otherwise/steps/0',
  ],
  [
    'a path without its argument',
    program([request({ source: createLiteral('a') })]),
    '/body/0/args: there is no type',
  ],
  [
    'a query without its argument',
    program([{ ...request(), query: ['field'] }]),
    '/body/0/args: there is no field',
  ],
  [
    'a body without its argument',
    program([{ ...request(), body: 'data' }]),
    '/body/0/args: there is no data',
  ],
  [
    'an object in a path',
    program([request({ source: createLiteral('a'), type: createLiteral({}) })]),
    '/body/0/args/type: a part of a path',
  ],
  [
    'half a character in a path',
    program([request({ source: createLiteral('\ud800'), type: createLiteral('b') })]),
    '/body/0/args/source: a part',
  ],
  ['no program', { schema: 2 }, '/'],
])('validation names %s', (_, value, says) => expect(validateProgram(value).join('\n')).toContain(says))

test('a good program has no problems', () => expect(validateProgram(branched)).toEqual([]))

test('tokens of very long words are counted in parts, others as a whole', async () => {
  const word = 'xé'.repeat(250)
  const tokens = await countTokens(word)
  // In the square of its length, this would take longer than any test may.
  expect(await countTokens(word.repeat(8000))).toBe(8000 * tokens)
  const spaced = [`${'x'.repeat(499)}`, ` ${'y'.repeat(499)}`]
  const [first = 0, second = 0] = await Promise.all(spaced.map(countTokens))
  expect(await countTokens(spaced.join(''))).toBe(first + second)
})

test('the version of the metrics tells which fields a set holds', async () => {
  const fields = Object.keys(await measure(branched, { instruction: 'Call a.' })).sort()
  // Other fields under the same version would give a set other bytes.
  expect([metricsVersion, ...fields]).toEqual([
    '1',
    'bindingCount',
    'codeTokens',
    'functionCalls',
    'instructionTokens',
    'pathDepth',
    'releasedBindingCount',
    'releasedCodeTokens',
    'releasedFunctionCalls',
    'releasedPathDepth',
  ])
})
