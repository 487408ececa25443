/** Specifications as text: the same values as another reader of YAML, and a clear refusal of the rest. */
import { expect, test } from '@jest/globals'
import { ProblemError } from '@stateeval/contracts'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { readText } from '@stateeval/openapi'
import { readSpecification } from '../specification/read.ts'

function refusal(text: string): string {
  try {
    readText(text, 'spec.yaml')
  } catch (error) {
    if (error instanceof ProblemError) return error.message
    throw error
  }
  return 'none'
}

test('any value is read from JSON and from YAML as another reader does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.stringify(value)
      expect(readText(json, 'spec.json')).toEqual(JSON.parse(json))
      const yaml = stringify(value)
      expect(readText(yaml, 'spec.yaml')).toEqual(parse(yaml))
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['a date stays a text', 'date: 2024-01-02', { date: '2024-01-02' }],
  ['yes is a text, as in YAML 1.2', 'answer: yes', { answer: 'yes' }],
  ['an alias', 'a: &x { b: 1 }\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
  ['a member named __proto__', '{ "__proto__": 1 }', JSON.parse('{ "__proto__": 1 }')],
])('%s', (_, text, value) => {
  expect(readText(text, 'spec.yaml')).toEqual(value)
})

test('many keys and many aliases are read', () => {
  const keys = Array.from({ length: 20_000 }, (_, n) => `k${n}: &x${n} { v: ${n} }\na${n}: *x${n}`)
  expect(Object.keys(readText(keys.join('\n'), 'spec.yaml') as object)).toHaveLength(40_000)
})

test.each([
  [
    'one that is broken in many places',
    `paths: {${'/{a}{b}: {get: x},'.repeat(3000)}}`,
    /not valid YAML: .*\(1:/,
  ],
  ['a key that stands twice', 'a: 1\na: 2', /has a key twice in one object: line 2/],
  ['one that is nested too deeply', '['.repeat(100_000), /not valid YAML: nesting/],
  ['a value that contains itself', '&a [*a]', /more than 2000000 values/],
  [
    'aliases of aliases',
    Array.from({ length: 30 }, (_, n) => `a${n}: &a${n} [${n === 0 ? 1 : `*a${n - 1}, *a${n - 1}`}]`).join(
      '\n',
    ),
    /more than 2000000 values/,
  ],
  ['one that is too long', ' '.repeat(17 * 1024 * 1024), /at most 16777216 are read/],
])('%s is refused', (_, text, says) => {
  expect(refusal(text)).toMatch(says)
})

test('schemas that each refer several times to the next are refused, not followed for ever', () => {
  const next = (n: number) => ({ $ref: `#/components/schemas/S${n + 1}` })
  const schemas = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`S${n}`, { allOf: [next(n), next(n), next(n)] }]),
  )
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } }
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example' }],
    paths: { '/a': { post: { requestBody: { content } } } },
    components: { schemas: { ...schemas, S20: { type: 'object' } } },
  }
  const { broken } = readSpecification(document, 'a', 'a.yaml')
  expect(broken.map((part) => part.broken)).toEqual([expect.stringMatching(/is too large/)])
})
