/**
 * Answers that nobody should write: cyclic, forward, unknown and nested references, 10,000 calls, texts made
 * to be slow.
 */
import { expect, test } from '@jest/globals'
import { leastEffort } from '@stateeval/testkit/each-time'
import { families, readReleased } from '../answer/released.ts'
import { readSoundly } from '../answer/sound.ts'
import { linkCalls, listLinks } from '../judge/calls.ts'
import { benchmarkOf, scoreOf } from './drive.ts'
import { caseOf, goldCalls } from './shapes.ts'
import { sampleBenchmark, sampleCase } from './sample.ts'

const benchmark = benchmarkOf({})
const c = caseOf(goldCalls('chain', 3))
const math = sampleCase('math-paint')
const answerOf = (args: unknown[]) =>
  JSON.stringify(args.map((one, at) => ({ name: 'add', label: `$var_${at + 1}`, arguments: one })))

test.each<[string, unknown[], RegExp]>([
  ['itself', [{ arg_0: '$var_1.result$', arg_1: 1 }], /refers to/],
  [
    'a cycle',
    [
      { arg_0: '$var_2.result$', arg_1: 1 },
      { arg_0: '$var_1.result$', arg_1: 1 },
    ],
    /refers to/,
  ],
  [
    'a later call',
    [
      { arg_0: '$var_2.result$', arg_1: 1 },
      { arg_0: 1, arg_1: 1 },
    ],
    /refers to/,
  ],
  ['an unknown call', [{ arg_0: '$var_77.result$', arg_1: 1 }], /refers to/],
  [
    'an unknown output',
    [
      { arg_0: 1, arg_1: 1 },
      { arg_0: '$var_1.other.deep[3]$', arg_1: 1 },
    ],
    /names no output|there is no/,
  ],
])('a reference to %s ends the run, and the sample is lost', async (_, args, says) => {
  const { policies } = await scoreOf(sampleBenchmark, math, answerOf(args))
  for (const { metrics, differences } of Object.values(policies!)) {
    expect(metrics['win']).toBe(0)
    expect(differences.map((one) => one.says).join('\n')).toMatch(says)
  }
})

test('references in lists and texts are resolved by a careful reader, and stay texts in the released code', async () => {
  const answer = JSON.stringify([
    { name: 'add', label: '$var_1', arguments: { arg_0: [1], arg_1: [2] } },
    {
      name: 'add',
      label: '$var_2',
      arguments: { arg_0: ['$var_1.result$'], arg_1: [{ a: 'n: $var_1.result$' }] },
    },
  ])
  const { policies } = await scoreOf(sampleBenchmark, math, answer)
  expect(policies!['sound']!.metrics).toMatchObject({ win: 0 })
  expect(policies!['sound']!.differences.some(({ where }) => where.startsWith('run'))).toBe(false)
})

test.each([
  ['a power without end', [{ name: 'power', label: '$var_1', arguments: { arg_0: 10, arg_1: 1e9 } }]],
  ['a huge factorial', [{ name: 'factorial', label: '$var_1', arguments: { arg_0: 10_000_000 } }]],
])('%s cannot be run, and is lost, as its reference can be', async (_, calls) => {
  const c2 = caseOf([{ name: 'Alpha', label: 'var1', arguments: {} }], 5)
  const tools = JSON.stringify(
    calls.map(({ name }) => ({
      name,
      parameters: { arg_0: {}, arg_1: {} },
      output_parameters: { result: {} },
    })),
  )
  const { policies } = await scoreOf(benchmark, { ...c2, task: { ...c2.task, tools } }, JSON.stringify(calls))
  expect(policies!['published']!.metrics).toMatchObject({ win: 0 })
  expect(policies!['published']!.metrics['not_run']).toBeUndefined()
  // What the reference calls, too, says nothing of the answer.
  const alike = {
    ...c2.task,
    tools,
    calls: calls.map((one) => ({ ...one, arguments: JSON.stringify(one.arguments) })),
  }
  const same = await scoreOf(benchmark, { ...c2, task: alike }, JSON.stringify(calls))
  expect(same.policies!['published']!.metrics).toMatchObject({ not_run: 1 })
})

test('10,000 calls are read, run and scored', async () => {
  const calls = Array.from({ length: 10_000 }, (_, at) => ({
    name: 'add',
    label: `$var_${at + 1}`,
    arguments: { arg_0: at === 0 ? 1 : `$var_${at}.result$`, arg_1: 1 },
  }))
  const { policies } = await scoreOf(sampleBenchmark, math, JSON.stringify(calls))
  expect(policies!['published']!.metrics).toMatchObject({ partial: 0, win: 0 })
  expect(policies!['sound']!.metrics).toMatchObject({ names_predicted: 10_000, win: 0 })
})

test('more calls are not read', async () => {
  const calls = Array.from({ length: 10_001 }, () => ({ name: 'f', label: 'var1', arguments: {} }))
  const { policies } = await scoreOf(benchmark, c, JSON.stringify(calls))
  expect(policies!['published']!.metrics).toMatchObject({ parsing_errors: 1, partial: 0 })
})

const long = 60_000
const slow: Record<string, string> = {
  brackets: '['.repeat(long),
  braces: '{'.repeat(long),
  quotes: '"'.repeat(long),
  'objects that break off': '[{"name": "f", "arguments": {'.repeat(long / 25),
  'dollar signs': `[{"name": "f", "arguments": {"a": "${'$var1.'.repeat(long / 6)}"}}]`,
  'names without end': `${'f'.repeat(long)}(`,
  'calls that break off': 'f(a='.repeat(long / 4),
  'lines of words': 'word\n'.repeat(long / 5),
  commas: ','.repeat(long),
  'blanks and equals': ' = '.repeat(long / 3),
  digits: `[${'9'.repeat(long)}]`,
  tags: '<tool_call>'.repeat(long / 11),
  markers: '[BEGIN OF '.repeat(long / 10),
  backslashes: `["${'\\\\'.repeat(long / 2)}`,
}
test.each(Object.entries(slow))('%s are read in linear time', (_, text) => {
  const read = () => {
    for (const family of families) readReleased(text, family)
    readSoundly(text)
  }
  // A quadratic reader needs more by far, a linear one less.
  expect(leastEffort(read, 5000)).toBeLessThanOrEqual(5000)
})

test.each<[string, string, string[]]>([
  ['a fence', '```json\n[{"name": "f", "arguments": {"a": 1.0}}]\n```', ['f{"a": 1.0}']],
  ['Python literals', "[{'name': 'f', 'arguments': {'a': True, 'b': None,},},]", ['f{"a": true, "b": null}']],
  [
    'tagged objects',
    '<tool_call>{"name": "f", "arguments": {}}</tool_call><tool_call>{"name": "g", "arguments": {}}</tool_call>',
    ['f{}', 'g{}'],
  ],
  ['an object with tool_calls', '{"tool_calls": [{"name": "f", "arguments": {}}]}', ['f{}']],
  [
    'functions of an API',
    '[{"type": "function", "function": {"name": "f", "arguments": "{\\"a\\": 1}"}}]',
    ['f{"a": 1}'],
  ],
  ['a list that breaks off', '[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "argu', ['f{"a": 1}']],
  [
    'a wrapper that breaks off',
    '{"tool_calls": [{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {"b": [{"name": "x", "arguments": {}}',
    ['f{"a": 1}'],
  ],
  [
    'a list of results behind',
    '[{"name": "f", "arguments": {}}]\nOutput: [{"name": "Bonn", "id": 5}]',
    ['f{}'],
  ],
  [
    'specifications that are repeated behind',
    '[{"name": "f", "arguments": {}}] from [{"name": "f", "description": "F", "parameters": {"a": {}}}]',
    ['f{}'],
  ],
  ['no arguments, as an empty text', '[{"name": "f", "arguments": ""}]', ['f{}']],
  ['no arguments, as an empty list', '[{"name": "f", "arguments": []}]', ['f{}']],
  ['no arguments, as null in a text', '[{"name": "f", "arguments": "null"}]', ['f{}']],
  ['a quote without an end before it', 'See ["the calls] [{"name": "f", "arguments": {}}]', ['f{}']],
  ['an apostrophe in a bracket before it', 'See [\'s] [{"name": "f", "arguments": {}}]', ['f{}']],
  [
    'objects in arguments of Python calls',
    '[f(a={"b": {"name": "Ann", "arguments": {}}}), g(c=[{"name": "x", "parameters": {}}])]',
    ['f{"a": {"b": {"name": "Ann", "arguments": {}}}}', 'g{"c": [{"name": "x", "parameters": {}}]}'],
  ],
  ['params', '[{"name": "f", "params": {"a": 1}}]', ['f{"a": 1}']],
  ['input', '[{"tool": "f", "input": {"a": 1}}]', ['f{"a": 1}']],
  ['an answer', '{"thought": "so", "answer": [{"name": "f", "arguments": {}}]}', ['f{}']],
  ['an answer as text', '{"answer": "[{\\"name\\": \\"f\\", \\"arguments\\": {}}]"}', ['f{}']],
  ['api_calls', '{"api_calls": [{"api_name": "f", "args": {}}]}', ['f{}']],
  [
    'function_call',
    '[{"function_call": {"name": "f", "arguments": "{}"}}, {"function_call": {"name": "g", "arguments": "{}"}}]',
    ['f{}', 'g{}'],
  ],
  ['a wrapper with a name', '{"action": "call", "tool_calls": [{"name": "f", "arguments": {}}]}', ['f{}']],
  ['lists in a list', '[[{"name": "f", "arguments": {}}], [{"name": "g", "arguments": {}}]]', ['f{}', 'g{}']],
  [
    'an object by label',
    '{"var1": {"name": "f", "arguments": {}}, "var2": {"name": "g", "arguments": {"a": "$var1.x$"}}}',
    ['f{}', 'g{"a": "$var1.x$"}'],
  ],
  [
    'a bracket too many',
    '[{"name": "f", "arguments": {"a": 1}}}, {"name": "g", "arguments": {}}]',
    ['f{"a": 1}', 'g{}'],
  ],
  [
    'a bracket too many in front',
    '[[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]',
    ['f{}', 'g{}'],
  ],
  ['a bracket too many at the end', '[{"name": "f", "arguments": {}}]]}', ['f{}']],
  ['a bracket too many within', '[{"name": "f", "arguments": {"a": [1]]}}]', ['f{"a": [1]}']],
  [
    'a bracket too few',
    '[{"name": "f", "arguments": {"a": 1}, {"name": "g", "arguments": {}]',
    ['f{"a": 1}', 'g{}'],
  ],
  ['prose behind Python calls', '[f(a=1)]\nresult(s) of the call(s)\nNote(1): none', ['f{"a": 1}']],
  ['prose behind statements', 'x = f(a=1)\nresult(s) follow', ['f{"a": 1}']],
  ['not a number', "[{'name': 'f', 'arguments': {'a': nan}}]", ['f{"a": NaN}']],
  ['a function tag', '<function=f>{"a": 1}</function><function=g>{}</function>', ['f{"a": 1}', 'g{}']],
  [
    'messages to functions',
    '<|channel|>analysis<|message|>to f<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
    ['f{"a": 1}'],
  ],
  [
    'the last of several lists',
    '[{"name": "f", "label": "v1", "arguments": {}}] no: [{"name": "g", "label": "v1", "arguments": {}}]',
    ['g{}'],
  ],
  [
    'lists that continue each other',
    '[{"name": "f", "label": "v1", "arguments": {}}]\n[{"name": "g", "label": "v2", "arguments": {}}]',
    ['f{}', 'g{}'],
  ],
  [
    'what follows thoughts',
    '<think>[{"name": "x", "arguments": {}}]</think>[{"name": "f", "arguments": {}}]',
    ['f{}'],
  ],
  [
    'what stands before a thought that never ends',
    '[{"name": "f", "arguments": {}}]<think>[{"name": "x", "arguments": {}}]',
    ['f{}'],
  ],
  ['Python calls', '[f(a=1, b="x"), g(c=[1.0, 2])]', ['f{"a": 1, "b": "x"}', 'g{"c": [1.0, 2]}']],
  ['statements', 'v1 = f(a=1)\nv2 = g(b=v1.out)', ['f{"a": 1}', 'g{"b": "$v1.out$"}']],
  ['calls within calls', 'g(b=f(a=1))', ['f{"a": 1}', 'g{"b": "$inner_1$"}']],
  [
    'a final var_result',
    '[{"name": "f", "arguments": {}}, {"name": "var_result", "arguments": {}}]',
    ['f{}'],
  ],
])('%s', (_, text, expected) => {
  const reading = readSoundly(text)
  expect(
    'calls' in reading ? reading.calls.map(({ name, arguments: args }) => name + args) : reading,
  ).toEqual(expected)
})
test.each([
  ['$var1.x$', '"label": "var1", "id": "call_abc"', '"id": "call_def"', ['var1', '$var_2']],
  ['$var_1.x$', '"id": "call_abc"', '"id": "call_def"', ['$var_1', '$var_2']],
  ['$call_abc.x$', '"id": "call_abc"', '"id": "call_def"', ['call_abc', '$var_2']],
  ['$1.x$', '"label": 1', '"label": 2', ['1', '$var_2']],
  ['$1.x$', '"label": "1"', '"label": "2"', ['1', '2']],
  ['$call-1.x$', '"label": "call-1"', '"label": "call-2"', ['call-1', 'call-2']],
])('a reference %s finds the call with %s', (reference, first, second, labels) => {
  const reading = readSoundly(
    `[{"name": "f", ${first}, "arguments": {}}, {"name": "g", ${second}, "arguments": {"a": "${reference}"}}]`,
  )
  if (!('calls' in reading)) throw new Error(reading.none)
  expect(reading.calls.map(({ label }) => label)).toEqual(labels)
  const linked = linkCalls(reading.calls)
  expect(listLinks(linked, 1).map(({ target }) => target)).toEqual([0])
})
test.each([
  ['I cannot help with that (sorry).', 'prose'],
  ['See [1] and [2, 3].', 'prose'],
  ['', 'no answer'],
  ['<think>Draft: [{"name": "f", "arguments": {}}] but', 'no answer'],
  ['[]', 'an empty list'],
])('%j has no calls', (text, none) => expect(readSoundly(text)).toEqual({ none }))
