/** Whatever a model writes gives readings: no exception, no blow-up, in no family. */
import { expect, test } from '@jest/globals'
import { leastEffort } from '@stateeval/testkit/each-time'
import fc from 'fast-check'
import { families } from '../answer/released.ts'
import { readAnswer } from '../readings.ts'

const tokens = [
  ...[
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    ',',
    ':',
    '=',
    '"',
    "'",
    '\\',
    '.',
    '$',
    '-',
    '+',
    '*',
    '**',
    '/',
    '//',
    '%',
    '<',
    '~',
    '#',
    '|',
  ],
  ...[
    '<tool_call>',
    '</tool_call>',
    '<function_call>',
    '<|tool_call|>',
    'tool_call\n{',
    '[BEGIN OF ANSWER]',
    '```json\n',
    '</think>',
  ],
  ...[
    'constructor',
    'toString',
    'valueOf',
    '__proto__',
    'hasOwnProperty',
    'prototype',
    'length',
    'label',
    'name',
    'arguments',
  ],
  ...[
    '{"name": "f", "label": "var1", "arguments": {',
    '{name: "Alpha", arguments: {constructor: 1}}',
    '"$var1.x$"',
    '$var1.',
    'f(a=',
  ],
  ...[
    '}}',
    'f(',
    '"name": ',
    '"label": ',
    '"arguments": ',
    '"tool_calls": ',
    'true',
    'None',
    'NaN',
    '-Infinity',
    '1e999',
    '9',
    '0x1',
  ],
  ...[
    'not ',
    ' if ',
    ' else ',
    'lambda ',
    ' in ',
    '\n',
    ' ',
    '\t',
    '\0',
    '\ud800',
    'é',
    '\u2028',
    'u',
    'b',
    'var_result',
    'x = ',
  ],
]
test('any text gives readings in every family, never an exception', () => {
  const pieces = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...tokens) },
    { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
    // The same token many times over: depth.
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...tokens), fc.integer({ min: 2, max: 300 }))
        .map(([one, n]) => one.repeat(n)),
    },
  )
  const text = fc.array(pieces, { maxLength: 60, size: 'max' }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (answer) => {
      for (const family of families) {
        const readings = readAnswer(answer, [], { family, labelAt: (n) => `var${n}` })
        expect(readings.map(({ policy }) => policy)).toEqual(['published', 'published-run', 'sound'])
        JSON.stringify(readings)
      }
    }),
    { numRuns: process.env['STATEEVAL_LONG'] === '1' ? 20_000 : 100, seed: 11 },
  )
})

test.each<[string, string]>([
  [
    'unquoted keys that every object has',
    '[{name: "Alpha", arguments: {constructor: 1, toString: 2, __proto__: 3}}]',
  ],
  ['signs', `f(a=${'-'.repeat(100_000)}1)`],
  ['negations', `f(a=${'not '.repeat(50_000)}1)`],
  ['powers', `f(a=${'1**'.repeat(50_000)}1)`],
  ['conditions', `f(a=${'1 if 1 else '.repeat(10_000)}1)`],
  ['sums', `f(a=${'1+'.repeat(10_000)}1)`],
  ['attributes', `f${'.a'.repeat(50_000)}(a=1)`],
  ['subscripts', `f(a=x${'[0]'.repeat(6_000)})`],
  ['repeated texts', `f(${Array.from({ length: 2000 }, (_, at) => `a${at}='x'*99999`).join(', ')})`],
  ['large powers', `f(${Array.from({ length: 5000 }, (_, at) => `a${at}=7**5000`).join(', ')})`],
])('%s are read in every family, without effort', (_, text) => {
  const read = () => {
    for (const family of families) readAnswer(text, [], { family, labelAt: (n) => `var${n}` })
  }
  expect(leastEffort(read, 5000)).toBeLessThanOrEqual(5000)
})

test('references that grow beyond the bound make a parsing error', () => {
  const answer = (size: number, count: number) =>
    JSON.stringify([
      { name: 'n'.repeat(size), label: 'var1', arguments: { a: `$var1.${'var1'.repeat(count)}$` } },
    ])
  const read = (text: string) => readAnswer(text, [], { family: 'llama', labelAt: (n) => `var${n}` })[0]!
  expect(read(answer(100, 100)).none).toBeUndefined()
  for (const [size, count] of [
    [20_000, 20_000],
    [100_000, 25_000],
  ] as const)
    expect(read(answer(size, count)).none).toMatch(/^parsing error: the references become more than 20 times/)
  // Each label names the next one: a chain as long as the answer, in a text as long.
  const chain = Array.from({ length: 10_000 }, (_, at) => ({
    name: `var${at + 2}`,
    label: `var${at + 1}`,
    arguments: at === 0 ? { a: `$var1.${'x'.repeat(100_000)}$` } : {},
  }))
  expect(read(JSON.stringify(chain)).none).toMatch(/^parsing error/)
})
