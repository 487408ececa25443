/** A filter that reaches a server holds no more than it may, and nothing that a server fails over. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BSONRegExp } from 'mongodb'
import { parseDocument } from '../document/parse.ts'
import { RequestRefusal } from '../errors.ts'
import { operators, toQuery } from '../filter/filter.ts'
import { measurePattern } from '../filter/pattern.ts'
import { WorldRun } from '../world/run.ts'

const fresh = { now: () => new Date(0), newId: () => '0'.repeat(24) }
const backtracking = 1000
const query = (text: string, weight = 10_000) =>
  toQuery(parseDocument(text, fresh), 'web', { weight, backtracking })
const isRefused = (text: string, weight?: number) => {
  try {
    query(text, weight)
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(RequestRefusal)
    expect((error as RequestRefusal).statusCode).toBe(400)
    return true
  }
}

const scalar = fc.constantFrom('1', '"x"', 'null', 'true', '1.5', '/a{0,9}b/i', '[]', '{}')
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 8 }).map((items) => `[${items.join()}]`),
)
const condition = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    value,
    fc
      .tuple(fc.constantFrom(...operators), fc.oneof(value, tie('node')))
      .map(([operator, operand]) => `{${operator}:${operand}}`),
  ),
})).node
const filter = fc
  .array(fc.tuple(fc.constantFrom('data.a', 'data.a.b.c', '_id', 'id'), condition), { maxLength: 4 })
  .map((fields) => `{$and:[{},${fields.map(([name, text]) => `{"${name}":${text}}`).join()}]}`)

/** What a server compares with each part of a document: values, and the instructions of patterns. */
function weightOf(part: unknown): number {
  if (part instanceof BSONRegExp) return measurePattern(part.pattern, part.options, backtracking)
  if (typeof part !== 'object' || part === null) return 1
  const members = part instanceof Map ? [...part.values()] : Object.values(part)
  return members.reduce<number>((sum, member) => sum + weightOf(member), 0)
}

test('no query holds more than its weight', () => {
  let [taken, refused] = [0, 0]
  fc.assert(
    fc.property(filter, fc.integer({ min: 1, max: 60 }), (text, weight) => {
      if (isRefused(text, weight)) return void refused++
      taken++
      // The path’s own source stands beside the filter.
      const { source: _, ...conditions } = query(text, weight)
      expect(weightOf(conditions)).toBeLessThanOrEqual(weight)
    }),
    { seed: 20_26, numRuns: 2000 },
  )
  expect([taken > 100, refused > 100]).toEqual([true, true])
})

test.each([
  '{a:{$size:1e300}}',
  '{a:{$size:1.5}}',
  '{a:{$size:-1}}',
  '{a:{$size:"1"}}',
  '{a:{$mod:[0,1]}}',
  '{a:{$mod:[0.5,1]}}',
  '{a:{$mod:[1e300,1]}}',
  '{a:{$mod:[1]}}',
  '{a:{$type:1e300}}',
  '{a:{$type:[]}}',
  '{a:{$not:1}}',
  '{a:{$options:"i"}}',
  '{a:{$regex:"a",$options:"x",b:1}}',
  '{a:/a/x}',
  '{a:{$in:[/a/x]}}',
  '{a:{$ne:/a/}}',
  '{a:/(?=a)/}',
  '{a:{$regex:"(a)\\\\1"}}',
  '{a:{$regex:"x{500}y{501}"}}',
  `{a:/${'x'.repeat(1001)}/}`,
  `{a:{$in:[${'1,'.repeat(10_001)}]}}`,
  `{$or:[${Array.from({ length: 11 }, () => `{a:/[${'x'.repeat(990)}]/}`).join()}]}`,
])('refused: %s', (text) => expect(isRefused(text)).toBe(true))

test.each([
  '{"data.age":{$gt:30}}',
  '{"data.tags":{$size:2}}',
  '{"data.n":{$mod:[4,0]}}',
  '{"data.n":{$mod:[4.5,0.5]}}',
  '{"data.a":{$type:"string"}}',
  '{"data.a":{$type:["string",16]}}',
  '{"data.a":{$not:{$regex:"^a.*z$",$options:"i"}}}',
  '{"data.a":{$not:/a/}}',
  '{"data.email":/^[\\\\w.]+@example\\\\.com$/i}',
  '{$or:[{"data.a":{$in:["x",null,/y/]}},{"data.b":{$exists:false}}]}',
  `{$or:[${Array.from({ length: 100 }, () => `{a:/^${'x'.repeat(40)}/}`).join()}]}`,
  '{"data.rows":{$elemMatch:{n:{$gte:1,$lt:5}}}}',
  `{a:{$in:[${Array.from({ length: 5000 }, (_, n) => n).join()}]}}`,
])('taken: %s', (text) => expect(isRefused(text)).toBe(false))

test.each([
  // The same in every engine: no more ways than a text has characters to begin at.
  ['foo', 5],
  ['^fo{2}$', 7],
  ['foo|bar|baz', 9],
  // Ways of one character after another; at 512 characters a matcher that goes back gives up.
  ['x*y', 513],
  ['^[\\w.]+@example\\.com$', 513],
  ['.*foo.*', 4225],
  // No better than any of few characters.
  ['(x+x+)+y', 100_000],
  ['(\\w+\\s?)*$', 50_000],
  // Not what they look like.
  ['\\Q(x+x+)+\\Ey', 10],
  ['[(+*)]]y', 5],
  ['\\(\\+\\*y', 6],
])('the weight of the pattern %s is %s', (pattern, weight) =>
  expect(measurePattern(pattern, '', Infinity)).toBe(weight),
)

test('a run bounds what a pattern costs for a document, on servers that go back, too', () => {
  const maxCost = 20_000_000
  const word = fc.string({ unit: fc.constantFrom('x', 'y'), minLength: 1, maxLength: 2000 })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 400 }), (words) => {
      const text = JSON.stringify({ words })
      const run = new WorldRun('seed', { requests: 1, wallMs: 1 })
      run.holds(parseDocument(text, fresh), text.length)
      const { filter: bounds } = run.queryBounds()
      for (const pattern of ['x{0,40}y', 'x*y', '.*x.*y', '(x+x+)+y']) {
        const taken = measurePattern(pattern, '', bounds.backtracking) <= bounds.weight
        // What PCRE2 looks at: of each text no more than 200,000 ways.
        const most = measurePattern(pattern, '', Infinity)
        const cost = words.reduce((sum, { length }) => sum + Math.min(200_000, most * length), 0)
        if (taken) expect(cost).toBeLessThanOrEqual(maxCost)
        // What tasks store is small, and any pattern is taken there.
        if (words.length < 90 && text.length < 20_000) expect([pattern, taken]).toEqual([pattern, true])
      }
    }),
    { seed: 37, numRuns: 300 },
  )
})
