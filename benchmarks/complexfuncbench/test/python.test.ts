/** Python's JSON, equality and repr. Where a python3 is there, it is the oracle for random values. */
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { NoJson, readJson } from '../python/read.ts'
import { arePythonEqual, type PythonValue } from '../python/value.ts'
import { dumpJson, formatRepr, setRepr } from '../python/write.ts'

test.each([
  ['1', '1'],
  ['1.0', '1.0'],
  ['1e5', '100000.0'],
  ['1E400', 'Infinity'],
  ['1e16', '1e+16'],
  ['0.0001', '0.0001'],
  ['0.00001', '1e-05'],
  ['1.5e-7', '1.5e-07'],
  ['-0.0', '-0.0'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['NaN', 'NaN'],
  ['{"b":1,"a":{"x":[]},"b":2}', '{"b": 2, "a": {"x": []}}'],
  ['"a\\u00e9\\ud83d\\ude00"', '"a\\u00e9\\ud83d\\ude00"'],
  ['[true,false,null]', '[true, false, null]'],
])('%s is written as %s', (text, expected) => {
  expect(dumpJson(readJson(text), { ascii: true })).toBe(expected)
})

test.each(['', '{', '[1,]', '{"a" 1}', "{'a': 1}", '01', '"\n"', '1 2', 'nul', '[', `${'['.repeat(300)}`])(
  '%j is no JSON',
  (text) => {
    expect(() => readJson(text)).toThrow(NoJson)
  },
)

test.each([
  ['1', '1.0', true],
  ['1', 'true', true],
  ['0', 'false', true],
  ['1', '"1"', false],
  ['null', 'false', false],
  ['{"a":1,"b":[1.0]}', '{"b":[1],"a":true}', true],
  ['9007199254740993', '9007199254740992.0', false],
  ['[1]', '{"0":1}', false],
  ['NaN', 'NaN', false],
])('%s == %s is %s', (a, b, expected) => {
  expect(arePythonEqual(readJson(a), readJson(b))).toBe(expected)
  expect(arePythonEqual(readJson(b), readJson(a))).toBe(expected)
})

test('repr quotes as Python does', () => {
  expect(
    formatRepr(readJson('["it\'s", "a\\"b", "it\'s \\"b\\"", "x\\n\\u0001\\\\", true, null, 2.0]')),
  ).toBe(`["it's", 'a"b', 'it\\'s "b"', 'x\\n\\x01\\\\', True, None, 2.0]`)
  expect(setRepr(['a', 'b'])).toBe("{'a', 'b'}")
  expect(formatRepr(readJson('"\\u200b\\u2028\\u3000\\ufeff\\ue000\\ud800\\u00ad é 東"'))).toBe(
    "'\\u200b\\u2028\\u3000\\ufeff\\ue000\\ud800\\xad é 東'",
  )
})

const value: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 4 })
const hasPython = spawnSync('python3', ['-c', 'pass']).status === 0
;(hasPython ? test : test.skip)('random values are written and compared as python3 does', () => {
  const texts = fc.sample(value, { numRuns: 300, seed: 7 }).map((one) => JSON.stringify(one))
  const code = `import json, sys
texts = json.load(sys.stdin)
values = [json.loads(t) for t in texts]
print(json.dumps([[json.dumps(v), json.dumps(v, ensure_ascii=False), values[i] == values[i - 1]] for i, v in enumerate(values)]))`
  const { stdout } = spawnSync('python3', ['-c', code], { input: JSON.stringify(texts), encoding: 'utf8' })
  const expected = JSON.parse(stdout) as [string, string, boolean][]
  const values: PythonValue[] = texts.map(readJson)
  expect(
    values.map((one, at) => [
      dumpJson(one, { ascii: true }),
      dumpJson(one, { ascii: false }),
      arePythonEqual(one, values.at(at - 1)!),
    ]),
  ).toEqual(expected)
})
