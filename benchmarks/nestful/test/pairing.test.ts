/**
 * Which predicted call answers which gold call, references that lead nowhere, and what Python's operators
 * take besides numbers.
 */
import { expect, test } from '@jest/globals'
import type { ListedCall } from '@stateeval/contracts'
import { alignInOrder, assignCalls, isSameCall, sameByPairs } from '../judge/align.ts'
import { linkCalls } from '../judge/calls.ts'
import type { ApiSpecification } from '../dataset/library.ts'
import { runMock } from '../functions/mock.ts'
import { runFunctions } from '../functions/run.ts'
import { benchmarkOf, scoreOf } from './drive.ts'
import { caseOf } from './shapes.ts'

const call = (label: string, name: string, args: object): ListedCall => ({
  name,
  label,
  arguments: JSON.stringify(args),
})

/** How many calls of an answer are gold ones: in order, and in any order. */
function matches(gold: ListedCall[], answer: ListedCall[]) {
  const [a, b] = [linkCalls(gold), linkCalls(answer)]
  return [alignInOrder, assignCalls].map((align) => {
    const { pairs } = align(a, b)
    const same = sameByPairs(a, b, pairs)
    return pairs.filter((j, i) => j !== null && isSameCall(a, b, i, j, same)).length
  })
}

test('a call that is the same goes before one that is only alike', () => {
  const gold = [call('var1', 'A', { x: 1, y: 1 }), call('var2', 'A', { x: 1, y: 3 })]
  expect(matches(gold, [call('var1', 'A', { x: 1, y: 3 }), call('var2', 'A', { x: 9, y: 9 })])).toEqual([
    1, 1,
  ])
  expect(matches(gold, gold)).toEqual([2, 2])
})

test.each(['$var7.id$', '$var2.id$', '$var1.id$'])(
  'the gold call with the dead reference %s is right as it is',
  (id) => {
    const gold = [call('var1', 'B', { p: id }), call('var2', 'C', {})]
    expect(matches(gold, gold)).toEqual([2, 2])
    expect(matches(gold, [call('var1', 'B', { p: '$var8.id$' }), gold[1]!])).toEqual([1, 1])
  },
)

test('the pseudo call at the end of version 1 is no API of the mock', () => {
  const api: ApiSpecification = { name: 'A', shown: '', parameters: {}, outputs: { out: 'string' } }
  const calls = [call('var1', 'A', {}), call('var2', 'var_result', { a: '$var1.out$' })]
  expect(runMock(calls, new Map([['A', api]])).outcome).toBe('value')
})

const tool = (name: string, ...parameters: string[]) => ({ name, parameters, outputs: ['result'] })
test.each([
  ['multiply', ['3', 2], '"33"'],
  ['multiply', [2, [1, 'a']], '[1, "a", 1, "a"]'],
  ['multiply', ['3', -1], '""'],
  ['multiply', ['3', 1.5], null],
  ['rectangle_area', ['ab', 2], '"abab"'],
  ['multiply', ['x', 2_000_000], null],
  ['max_number', [['$b$', '$a$']], '"$b$"'],
  ['min_number', [['\u{1f600}', '\ufb01']], '"\ufb01"'],
  ['max_number', [['a', 1]], null],
  ['convert_to_float_or_string', ['inf'], 'Infinity'],
  ['convert_to_float_or_string', ['1__0'], '"1__0"'],
  ['convert_to_float_or_string', ['1_0.5'], '10.5'],
  ['add', ['$', 1], null],
])('%s of %j gives %j under the published rules', (name, values, expected) => {
  const names = values.map((_, at) => `arg_${at}`)
  const args = Object.fromEntries(values.map((value, at) => [names[at]!, value]))
  const outcome = runFunctions([call('var1', name, args)], [tool(name, ...names)], 'published')
  expect(outcome.outcome === 'value' ? outcome.value : null).toBe(expected)
})

test('the first of several tools with one name counts, and an output may have a dot in its name', async () => {
  const tool = (output: string) => ({
    name: 'add',
    parameters: { arg_0: {}, arg_1: {} },
    output_parameters: { [output]: {} },
  })
  const calls = [
    { name: 'add', label: '$var_1', arguments: { arg_0: 1, arg_1: 2 } },
    { name: 'add', label: '$var_2', arguments: { arg_0: '$var_1.sum.total$', arg_1: 4 } },
  ]
  const c = caseOf(calls, 7)
  const tools = JSON.stringify([tool('sum.total'), tool('other')])
  const { policies } = await scoreOf(
    benchmarkOf({}),
    { ...c, task: { ...c.task, tools } },
    JSON.stringify(calls),
  )
  expect(Object.values(policies!).map(({ metrics }) => [metrics['win'], metrics['full']])).toEqual([
    [1, 1],
    [1, 1],
  ])
})

test('an output that is referred to must have the type of the parameter', () => {
  const parameter = (type: string) => ({ type, required: true, about: '', allowed: null })
  const apis = new Map<string, ApiSpecification>([
    ['A', { name: 'A', shown: '', parameters: {}, outputs: { text: 'string', count: 'number' } }],
    ['B', { name: 'B', shown: '', parameters: { n: parameter('number') }, outputs: {} }],
  ])
  const outcome = (output: string) =>
    runMock([call('var1', 'A', {}), call('var2', 'B', { n: `$var1.${output}$` })], apis)
  expect(outcome('count')).toMatchObject({ outcome: 'value' })
  expect(outcome('text')).toMatchObject({
    outcome: 'failed',
    call: 1,
    says: 'n of B must be a number, not A text',
  })
})
