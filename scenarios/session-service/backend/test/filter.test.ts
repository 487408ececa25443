/** A filter that reaches a server holds no more than it may, and nothing that a server fails over. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BSONRegExp } from 'mongodb'
import { parseDocument } from '../document/parse.ts'
import { RequestRefusal } from '../errors.ts'
import { operators, toQuery } from '../filter/filter.ts'
import { measurePattern } from '../filter/pattern.ts'

const fresh = { now: () => new Date(0), newId: () => '0'.repeat(24) }
const query = (text: string, weight = 10_000) => toQuery(parseDocument(text, fresh), 'web', weight)
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
  if (part instanceof BSONRegExp) return measurePattern(part.pattern, part.options)
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
  '{"data.rows":{$elemMatch:{n:{$gte:1,$lt:5}}}}',
  `{a:{$in:[${Array.from({ length: 5000 }, (_, n) => n).join()}]}}`,
])('taken: %s', (text) => expect(isRefused(text)).toBe(false))
