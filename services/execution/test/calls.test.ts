/** Lists of calls: how references are resolved, and how a list may end. */
import { describe, expect, test } from '@jest/globals'
import type { JsonValue, ListedCall, Observation } from '@stateeval/contracts'
import { completeLimits, type SandboxWorld } from '@stateeval/sandbox'
import { longestTurn } from '@stateeval/testkit/each-time'
import { resolve } from '../src/calls/references.ts'
import { runCallsOnInputs } from '../src/calls/run-calls.ts'

const scope = new Map<string, JsonValue>([
  ['var1', { location: { name: 'Paris' }, 'Exchange Rate': 1.1, author: [{ id: 7 }, 'x'], 'a.b': 5 }],
  ['var_1', 12],
  ['list', [{ n: 1 }, [2, 3]]],
])

describe('references', () => {
  test.each<[JsonValue, JsonValue]>([
    ['$var1.location.name$', 'Paris'],
    ['$var1.Exchange Rate$', 1.1],
    ['$var1.author[0].id$', 7],
    ['$var1.a.b$', 5],
    ['$var1.author[0]$', { id: 7 }],
    ['$var_1.result$', 12],
    ['$var_1$', 12],
    ['$list[1][0]$', 2],
    ['$list.[0].n$', 1],
    [
      { a: ['$var_1$', { b: '$var1.author[1]$' }], c: true },
      { a: [12, { b: 'x' }], c: true },
    ],
    ['$100-$200', '$100-$200'],
    ['5 * $var_1$', '5 * $var_1$'],
    ['plain', 'plain'],
  ])('%j is %j', (value, resolved) => expect(resolve(value, scope)).toEqual(resolved))
  test.each([
    ['$var2.x$', 'refers to var2, which no earlier call returned'],
    ['$var1.nothing$', 'there is no nothing in the result'],
    ['$var1.location.name.first$', 'there is no first'],
    ['$var1.author[5]$', 'there is no 5'],
    ['$var1.constructor$', 'there is no constructor'],
    ['$list.length$', 'there is no length'],
    ['$var1..location$', 'there is no output without a name in the result'],
    ['$var1.author[x]$', 'there is no output without a name in the result'],
  ])('%s is refused: %s', (value, says) => expect(() => resolve([value], scope)).toThrow(says))
})

const calls: string[] = []
const world: SandboxWorld = {
  id: 'sums',
  tools: () => [{ name: 'add', parameters: { properties: { a: {}, b: {} } } }, { name: 'hang' }],
  open: (initial) =>
    initial === 'broken'
      ? Promise.reject(new Error('no database'))
      : Promise.resolve({
          channel: { kind: 'none' },
          async call(name, { a, b }) {
            calls.push(name)
            if (name === 'hang') return new Promise<never>(() => {})
            if (name === 'compute') for (const end = performance.now() + 30; performance.now() < end;);
            if (name === 'compute') return { content: '' }
            if (name === 'text') return { content: JSON.stringify('x'.repeat(Number(a))) }
            if (name !== 'add') return { content: `there is no tool ${name}`, error: true }
            return { content: JSON.stringify({ sum: Number(a) - Number(b) }) }
          },
          observe: () =>
            Promise.resolve({
              world: { state: calls.length, ids: { initial: [], created: [] }, gone: [] },
              log: [],
              faults: [],
            }),
          close: () => Promise.resolve(),
        }),
  close: () => Promise.resolve(),
}

async function run(
  calls: ListedCall[],
  {
    binding = 'name',
    initial = {},
    limits = {},
  }: { binding?: 'name' | 'position'; initial?: JsonValue; limits?: object } = {},
) {
  const observations: Observation[] = []
  const inputs = [{ variables: { user: 5 }, world: initial }]
  const list = { calls, binding, world, inputs, limits: completeLimits(limits) }
  await runCallsOnInputs(list, new AbortController().signal, async (observation, index) => {
    observations[index] = observation
  })
  return observations[0]!.ending
}
const add = (args: object | string, label?: string): ListedCall => ({
  name: 'add',
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
  ...(label !== undefined && { label }),
})

test('calls use earlier results and the variables of the input; RESULT is what they gave', async () => {
  expect(await run([add({ a: '$user$', b: 3 }, '$var_1'), add({ b: 1, a: '$var_1.sum$' }, 'var_2')])).toEqual(
    { status: 'completed', result: [{ sum: 2 }, { sum: 1 }] },
  )
})

test('by position, the order written counts and names are ignored', async () => {
  const swapped = [add('{"b": 10, "a": 4}')]
  expect(await run(swapped)).toEqual({ status: 'completed', result: [{ sum: -6 }] })
  expect(await run(swapped, { binding: 'position' })).toEqual({ status: 'completed', result: [{ sum: 6 }] })
  expect(await run([add({ x: 1, y: 2, z: 3 })], { binding: 'position' })).toMatchObject({
    status: 'threw',
    error: { name: 'TypeError', message: 'call 1 (add): it takes at most 2 arguments, but got 3' },
  })
})

test('the first call that fails ends the list, with its place', async () => {
  calls.length = 0
  const unknown = { name: 'rm', arguments: '{}' }
  expect(await run([add({ a: 1, b: 1 }), unknown, add({})])).toEqual({
    status: 'threw',
    error: { name: 'CallError', message: 'call 2 (rm): there is no tool rm' },
  })
  expect(calls).toEqual(['add', 'rm'])
  expect(await run([add({ a: '$later$' }), add({}, 'later')])).toMatchObject({
    error: {
      name: 'ReferenceError',
      message: expect.stringContaining('call 1 (add): $later$ refers to later'),
    },
  })
  expect(await run([add('[1]')])).toMatchObject({ error: { name: 'SyntaxError' } })
})

test('time, calls and results are bounded; a world that fails is our failure', async () => {
  const hang = { name: 'hang', arguments: '{}' }
  expect(await run([hang], { limits: { wallMs: 100 } })).toEqual({
    status: 'timeout',
    limit: 'wall',
    afterMs: 100,
  })
  const many = Array.from({ length: 10_000 }, () => add({ a: 1, b: 1 }))
  expect(await run(many)).toEqual({ status: 'killed', by: 'requests' })
  expect(await run(many, { limits: { resultKiB: 1 } })).toEqual({ status: 'killed', by: 'result' })
  expect(await run([add({})], { initial: 'broken' })).toEqual({
    status: 'infrastructure',
    reason: 'the world failed: no database',
  })
})

test('arguments are bounded with the results that they refer to, however often', async () => {
  const text = { name: 'text', arguments: '{"a":100000}', label: 't' }
  const many = (count: number) => ({
    name: 'text',
    arguments: JSON.stringify({ a: 1, b: Array(count).fill('$t$') }),
  })
  expect(await run([text, many(100)])).toMatchObject({ status: 'completed' })
  expect(await run([text, many(100_000)])).toEqual({ status: 'killed', by: 'requests' })
  expect(await run([text, ...Array(4).fill(many(100))] as ListedCall[])).toEqual({
    status: 'killed',
    by: 'requests',
  })
})

test('a list of calls that compute in this process ends in time, and others have their turns', async () => {
  const list = Array.from({ length: 100 }, () => ({ name: 'compute', arguments: '{}' }))
  const ended = { status: 'timeout', limit: 'wall', afterMs: 200 }
  const longest = await longestTurn(
    async () => expect(await run(list, { limits: { wallMs: 200 } })).toEqual(ended),
    75,
  )
  expect(longest).toBeLessThanOrEqual(75)
})
