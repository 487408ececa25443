/**
 * Published behaviour (README) 3 to 5, parsers, text by text; 6, numbers as Python text; 7, the alignment;
 * 11, the win rate's rounding.
 */
import { describe, expect, test } from '@jest/globals'
import { groundElements, keepUngrounded } from '../answer/grounding.ts'
import { type AnswerFamily, readReleased } from '../answer/released.ts'
import { computeMacroF1 } from '../aggregate/f1.ts'
import { listPredictionMarks } from '../judge/marks.ts'
import { computePartialMatch, groundPrediction, collectSets } from '../judge/published.ts'
import { roundHalfEven, isWin } from '../judge/win.ts'
import { readWhole } from '../python/read.ts'
import { formatPyJson, formatPyRepr } from '../python/value.ts'
import { readAnswer } from '../readings.ts'
import { caseOf } from './shapes.ts'

const call = '{"name": "f", "label": "var1", "arguments": {"a": 1}}'

test.each<[AnswerFamily, string, string | null]>([
  ['llama', `  [${call}] `, `[${call}]`],
  ['llama', call, `[${call}]`],
  ['llama', `[${call}]'`, `[${call}]`],
  ['llama', '', '[]'],
  ['llama', `\x1c\x85[${call}]\u2003`, `[${call}]`],
  ['llama', `\ufeff[${call}]`, null],
  ['llama', 'Sure.', null],
  ['granite', `<|tool_call|>[${call}]`, `[${call}]`],
  ['granite', `<tool_call>[${call}]`, `[${call}]`],
  ['granite', `Sure: [${call}]`, null],
  ['granite-3.0', `[${call}]`, `[${call}]`],
  ['granite-3.0', `<|tool_call|>[${call}]`, null],
  ['deepseek', '', null],
  ['hammer', `\`\`\`[${call}]\`\`\``, `[${call}]`],
  ['hammer', `\`\`\`json\n[${call}]\`\`\``, null],
  ['hammer', '[]', null],
  ['mistral', `[${call}]`, `[${call}]`],
  ['mistral', `[{"name": "f\\_g",\n "arguments": {}}]`, '[{"name": "f_g", "arguments": {}}]'],
  ['mistral', `[${call}] Done`, null],
  ['hermes', `<tool_call>\n${call}\n</tool_call> and <tool_call>x</tool_call>`, `[${call}]`],
  ['hermes', `tool_call\n${call}</tool_call>`, `[${call}]`],
  ['hermes', `[${call}]`, null],
  ['xlam', `[BEGIN OF ANSWER]{"tool_calls": [${call}]}[END OF ANSWER]`, `[${call}]`],
  ['xlam', `[${call}]`, null],
  [
    'granite-20b',
    `<function_call>${call}<function_call>{"name": "var_result", "arguments": {}}`,
    `[${call}]`,
  ],
  ['granite-20b', `ASSISTANT<function_call>${call}`, `[${call}]`],
  ['granite-20b', ` <function_call>${call}`, null],
  ['llama-3-70b', `[${call}, {"name": "var_result", "arguments": {}}]`, `[${call}]`],
  // Names keep a leading blank, and values are texts.
  [
    'llama-3-70b',
    '[f(a=1, b="x, y"), g(c=\'z\')]',
    '[{"name": "f", "arguments": {"a": "1", "b": "x, y"}}, {"name": " g", "arguments": {"c": "z"}}]',
  ],
  ['llama-3-70b', '[f(a=x=y)]', '[{"name": "f", "arguments": {"a": "x"}}]'],
  ['toolace', '[f(a=1, b="x")]', '[{"name": "f", "arguments": {"a": 1, "b": "x"}}]'],
  ['toolace', "'[f(1, b=(2, 3))]'", '[{"name": "f", "arguments": {"b": [2, 3]}}]'],
  [
    'toolace',
    '[f(a=1 + 2 * 3, b=-4, c=name, d=xs[0], e=g(), h=g(x=1))]',
    '[{"name": "f", "arguments": {"a": 7, "b": -4, "c": "name", "d": "xs[0]", "e": "g()", "h": {"name": "g", "arguments": {"x": 1}}}}]',
  ],
  ['toolace', '[f(a=b.c)]', null],
  ['toolace', '[f(a=-b)]', null],
  ['toolace', 'no call', null],
  ['gpt', `[${call}]`, `[${call}]`],
  ['gpt', `\`\`\`json\n[${call}]\n\`\`\``, `[${call}]`],
  ['gpt', `Here: [${call}]`, null],
])('%s reads %j', (family, text, expected) => {
  const { elements, error } = readReleased(text, family)
  if (expected === null) expect(error).toBeDefined()
  else expect([error, formatPyJson(elements)]).toEqual([undefined, formatPyJson(readWhole(expected))])
})

test('what llama-3-70b reads before an error stays', () => {
  const { elements, error } = readReleased('[f(a=1), g()]', 'llama-3-70b')
  expect([formatPyJson(elements), error]).toEqual([
    '[{"name": "f", "arguments": {"a": "1"}}]',
    'an argument without =',
  ])
})

describe('grounding', () => {
  const grounded = (text: string) =>
    groundElements(readWhole(text) as never).calls.map(({ name, arguments: args }) => `${name}${args}`)
  const labelled = (args: string) =>
    `[{"name": "f", "label": "$var_1", "arguments": {}}, {"name": "g", "label": "var1", "arguments": {}}, {"name": "h", "arguments": ${args}}]`
  test.each([
    ['{"a": "$var_1.x$"}', '{"a": "$f.x$"}'],
    ['{"a": "$var1$"}', '{"a": "$var1$"}'],
    ['{"a": "$var1.x$ - $var_1.y$"}', '{"a": "$g.x$ - $var_1.y$"}'],
    ['{"a": "$var1.x$ - $var1.y$"}', '{"a": "$g.x$ - $g.y$"}'],
    ['{"a": "5 * $var1.x$"}', '{"a": "5 * $var1.x$"}'],
    [
      '{"a": ["$var1.x$", {"b": "$var1.x$"}], "c": {"d": "$var1.x$"}}',
      '{"a": ["$g.x$", {"b": "$var1.x$"}], "c": {"d": "$var1.x$"}}',
    ],
    ['{"a": "$var9.x$"}', '{"a": "$var9.x$"}'],
  ])('%s becomes %s', (args, expected) => expect(grounded(labelled(args))[2]).toBe(`h${expected}`))
  test('a later label overwrites an earlier one, and order does not matter', () => {
    expect(
      grounded(
        '[{"name": "h", "arguments": {"a": "$var1.x$"}}, {"name": "f", "label": "var1", "arguments": {}}, {"name": "g", "label": "var1", "arguments": {}}]',
      )[0],
    ).toBe('h{"a": "$g.x$"}')
  })
  test.each([
    // A name that is a later label is replaced in turn; one that is an earlier label is not.
    ['$var1.x$', ['var1=var2', 'var2=power'], '$power.x$'],
    ['$var2.x$', ['var1=power', 'var2=var1'], '$var1.x$'],
    ['$var1.x$ + $var2.y$', ['var1=var2', 'var2=power'], '$power.x$ + $power.y$'],
    ['$var1.x$', ['var1=var1'], '$var1.x$'],
    ['$var1.x$', ['var3=last', 'var1=var3'], '$var3.x$'],
  ])('%s with the labels %j becomes %s', (text, labels, expected) => {
    const calls = labels.map((one) => one.split('=')).map(([label, name]) => ({ label, name, arguments: {} }))
    const groundedCalls = grounded(JSON.stringify([...calls, { name: 'h', arguments: { a: text } }]))
    expect(groundedCalls.at(-1)).toBe(`h{"a": "${expected}"}`)
  })
  test.each([
    '["x"]',
    '[{"arguments": {}}]',
    '[{"name": "f", "label": 1}]',
    '[{"name": "f", "arguments": []}]',
    '[{"name": "f", "arguments": null}]',
    '[{"name": "f", "arguments": null, "parameters": {}}]',
    // Such a name can be compared, but no text can take it in.
    '[{"name": null, "label": "var1", "arguments": {}}, {"name": "g", "arguments": {"a": "$var1.x$"}}]',
    '[{"name": 5, "label": "var1", "arguments": {}}, {"name": "g", "arguments": {"a": ["$var1.x$"]}}]',
  ])('%s spoils the prediction', (text) => expect(() => grounded(text)).toThrow())
  test('a name that is no string is compared as its text', () =>
    expect(grounded('[{"name": null, "label": "var1", "arguments": {"a": NaN}}]')).toEqual([
      'None{"a": NaN}',
    ]))
  test('without grounding, unreadable elements are left out', () => {
    const { calls, unreadable, slotErrors } = keepUngrounded(
      readWhole('["x", {"name": "f"}, {"name": 5, "arguments": {}}]') as never,
    )
    expect([calls.map(({ name }) => name), unreadable, slotErrors]).toEqual([['f', '5'], 1, 1])
  })
  test('it applies to Llama, Granite and DeepSeek where the word label occurs', () => {
    const c = caseOf([{ name: 'f', label: 'var1', arguments: {} }])
    const read = (text: string, family: AnswerFamily) =>
      readAnswer(text, [], { family, labelAt: (n) => `var${n}` })[0]!.calls!.map(
        ({ name, arguments: args }) => name + args,
      )
    expect(c.task.calls).toHaveLength(1)
    expect(read('[{"name": "f"}]', 'llama')).toEqual(['f'])
    expect(read('[{"name": "f"}]', 'mistral')).toEqual(['f{}'])
  })
})

test.each<[string, string]>([
  ['1', '1'],
  ['1.0', '1.0'],
  ['1e5', '100000.0'],
  ['1e16', '1e+16'],
  ['123456789012345680.0', '1.2345678901234568e+17'],
  ['0.0001', '0.0001'],
  ['0.00001', '1e-05'],
  ['-0.0', '-0.0'],
  ['true', 'True'],
  ['null', 'None'],
  ['[1, "a"]', "[1, 'a']"],
  ['{"k": 1, "b": [1.5]}', "{'k': 1, 'b': [1.5]}"],
  ['["it\'s"]', '["it\'s"]'],
  ['["a\\"\'b"]', "['a\"\\'b']"],
  ['["\\n\\u00e9\\u0007"]', "['\\né\\x07']"],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['NaN', 'nan'],
  ['-Infinity', '-inf'],
])('%s is %s in Python', (json, text) => expect(formatPyRepr(readWhole(json))).toBe(text))

test.each([
  [0.6428571428571429, 16, 0.6428571428571429],
  [2.675, 2, 2.67],
  [0.5, 0, 0],
  [1.5, 0, 2],
  [2.5, 0, 2],
  [-2.5, 0, -2],
  [1e22, 1, 1e22],
  [5e-324, 3, 0],
])('round(%p, %p) is %p', (value, digits, expected) =>
  expect(roundHalfEven(value, digits) + 0).toBe(expected),
)

const value = (text: string) => ({ outcome: 'value', value: text }) as const
const failed = { outcome: 'failed', call: 0, says: '' } as const
test.each<[string, string, boolean, boolean]>([
  ['3.14159', '3.14', true, false],
  ['3.0', '3', true, true],
  ['3', '3.0', true, true],
  ['true', '1', true, false],
  ['3.04', '3.0', true, false],
  ['3.04', '3', false, false],
  ['[1, 2]', '[1, 2.0]', true, true],
  ['{"b": 1, "a": 2}', '{"a": 2, "b": 1}', true, true],
  ['"3"', '3', false, false],
  ['1700000000000', '1700000000001', false, false],
  ['9007199254740993', '9007199254740992', false, false],
  ['1700000000000.5', '1700000000000', false, false],
  ['1700000000000.4', '1700000000000.0', false, false],
  ['12345678901234.567', '12345678901234.57', true, false],
  ['3', '2.9999999999999996', false, false],
  ['2.9999999999999996', '3.0', true, true],
  ['1.0000000000000002e20', '1e20', false, true],
  ['Infinity', '1.0', false, false],
  ['0.30000000000000004', '0.3', true, true],
  // A gold float without a dot in its text crashes the released code.
  ['0.00001', '0.00001', false, true],
  ['NaN', '1.5', false, false],
])('%s for a gold %s: published %p, sound %p', (prediction, gold, published, sound) => {
  expect([isWin(value(prediction), gold, 'published'), isWin(value(prediction), gold, 'sound')]).toEqual([
    published,
    sound,
  ])
})
test.each(['0', '0.0', 'false'])('a failed run wins against a gold %s under published alone', (gold) => {
  expect([isWin(failed, gold, 'published'), isWin(failed, gold, 'sound')]).toEqual([true, false])
  expect(isWin(failed, '1', 'published')).toBe(false)
  expect(isWin({ ...failed, outcome: 'unavailable' }, gold, 'published')).toBe(false)
})

const compared = (list: string) => groundPrediction([...list].map((name) => ({ name, arguments: '{}' })))
test.each<[string, string, number]>([
  ['ABC', 'XABC', 0],
  ['AB', 'AXB', 1 / 4],
  ['ABC', 'BC', 2 / 3],
  ['ABC', 'AB', 2 / 3],
  ['ABC', 'AC', 2 / 3],
  ['ABC', 'ABCX', 3 / 4],
  ['ABC', 'CBA', 1 / 3],
  ['AB', '', 0],
  ['A', 'BCD', 0],
])('gold %s, prediction %s: %p', (gold, predicted, share) =>
  expect(computePartialMatch(compared(gold), compared(predicted))).toBeCloseTo(share, 12),
)

test('F1 is macro over gold classes: unknown names cost nothing, a repeated function keeps its last call', () => {
  const c = caseOf([
    { name: 'Alpha', label: 'var1', arguments: { x: 1 } },
    { name: 'Beta', label: 'var2', arguments: { x: 2 } },
  ])
  const judged = (calls: string) => {
    const { calls: groundedCalls } = groundElements(readWhole(calls) as never)
    return [{ case: c, metrics: listPredictionMarks(collectSets(groundPrediction(groundedCalls))) }]
  }
  const both = judged(
    '[{"name": "Alpha", "arguments": {"x": 1}}, {"name": "Nowhere", "arguments": {}}, {"name": "Alpha", "arguments": {"x": 3}}]',
  )
  expect(computeMacroF1(both, 'function').value).toBe(0.5)
  expect(computeMacroF1(both, 'parameter').value).toBe(0)
  // The text of one argument as that of another function is a false positive of its class.
  const crossed = judged(
    '[{"name": "Alpha", "arguments": {"x": 1}}, {"name": "Beta", "arguments": {"x": 1}}]',
  )
  expect(computeMacroF1(crossed, 'parameter').value).toBeCloseTo((2 / 3 + 0) / 2, 5)
})

test('F1 counts long lists to their end', () => {
  const c = caseOf([{ name: 'Last', label: 'var1', arguments: { z: 'right' } }])
  const calls = Array.from({ length: 9_999 }, (_, at) => ({
    name: `Other_${at}`,
    arguments: `{"a": ${at}, "b": "${at}"}`,
  }))
  const metrics = listPredictionMarks(
    collectSets(groundPrediction([...calls, { name: 'Last', arguments: '{"z": "right"}' }])),
  )
  expect(computeMacroF1([{ case: c, metrics }], 'function').value).toBe(1)
  expect(computeMacroF1([{ case: c, metrics }], 'parameter').value).toBe(1)
})
