import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BSON, Double, Int32, Long } from 'mongodb'
import { readBson } from '../document/bson.ts'
import { parseDocument } from '../document/parse.ts'
import { decodeStored, encodeStoredName, encodeStoredPath, toStored } from '../document/stored.ts'
import { computeChecksum, formatJavaDouble, formatValueJson } from '../document/text.ts'
import { DocumentError, type BsonValue } from '../document/value.ts'

const now = () => new Date(0)
const parse = (text: string) => parseDocument(text, { now, newId: () => '7'.repeat(24) })
const property = { seed: 20_26, numRuns: 500 } as const
const status = (text: string) => {
  try {
    parse(text)
    return 200
  } catch (error) {
    if (error instanceof DocumentError) return error.status
    throw error
  }
}
// Names that the relaxed parser reads as one value of another kind are left out of what must round-trip as
// JSON.
const json = fc.dictionary(
  fc.string().filter((name) => !name.startsWith('$') && !name.includes('\0')),
  fc.jsonValue({ maxDepth: 5 }),
)
const plain = (value: unknown): boolean =>
  // Integers beyond 64 bits are refused, so they can't round-trip.
  (typeof value === 'number' && Math.abs(value) < 2 ** 63) ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  value === null ||
  (typeof value === 'object' &&
    Object.entries(value).every(
      ([name, item]) => !name.startsWith('$') && !name.includes('\0') && plain(item),
    ))

test('any JSON object reads back as the same JSON, through the text, the stored form and BSON', () => {
  fc.assert(
    fc.property(json.filter(plain), (value) => {
      const text = JSON.stringify(value)
      const doc = parse(text)
      const bytes = BSON.serialize(toStored(doc) as Map<string, BsonValue>)
      const back = decodeStored(readBson(bytes)) as Map<string, BsonValue>
      expect(JSON.parse(formatValueJson(back))).toEqual(JSON.parse(text))
      expect(formatValueJson(back)).toBe(formatValueJson(doc))
      expect(computeChecksum(back)).toBe(computeChecksum(doc))
    }),
    property,
  )
})

test('any text is a document or refused with a status, never anything else', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    "'b'",
    'c',
    '1',
    '-',
    '1.5e3',
    'NaN',
    'new',
    'Date',
    '(',
    ')',
    '/r/i',
    '$oid',
    '"$date"',
    'null',
    ' ',
    '\\',
    '\u0000',
    'ISODate("x")',
    '$regex',
    '"$binary"',
    'NumberLong',
    '😀',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((parts) => parts.join('')),
        fc.array(pieces).map((parts) => `{"x":${parts.join('')}`),
      ),
      (text) => {
        expect([200, 400, 500]).toContain(status(text))
      },
    ),
    { ...property, numRuns: 3000 },
  )
})

test('deep nesting and long texts end quickly', () => {
  expect(status(`${'{"a":'.repeat(99)}1${'}'.repeat(99)}`)).toBe(200)
  expect(status(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`)).toBe(400)
  expect(status('{"a":'.repeat(100_000))).toBe(400)
  expect(status(`{"a":${'['.repeat(100_000)}`)).toBe(400)
  expect(status(`{"a":"${'\\n'.repeat(300_000)}"}`)).toBe(200)
  expect(status(`{"a":/${'a'.repeat(300_000)}`)).toBe(400)
  expect(status(`{"a":${'1'.repeat(300_000)}}`)).toBe(500)
})

test('names of any kind have a stored form without dots, dollars or _id, and their paths lead to them', () => {
  fc.assert(
    fc.property(
      fc.string().filter((name) => !name.includes('\0')),
      (name) => {
        const key = encodeStoredName(name)
        expect(key.includes('.') || key.startsWith('$') || key === '_id' || key === '%').toBe(false)
        expect([...(decodeStored(new Map([[key, new Int32(1)]])) as Map<string, BsonValue>).keys()]).toEqual([
          name,
        ])
        if (!name.includes('.')) expect(encodeStoredPath(`data.${name}`)).toBe(`data.${key}`)
      },
    ),
    property,
  )
})

test.each([
  [1, '1.0'],
  [0, '0.0'],
  [-0, '-0.0'],
  [2.5, '2.5'],
  [0.001, '0.001'],
  [0.0001, '1.0E-4'],
  [9_999_999, '9999999.0'],
  [1e7, '1.0E7'],
  [1.25e21, '1.25E21'],
  [-3.5e-9, '-3.5E-9'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
])('the double %d is written %s', (value, text) => {
  expect(formatJavaDouble(value)).toBe(text)
})

test('numbers keep their kind', () => {
  const doc = parse('{"i":1,"l":2147483648,"d":1.0,"m":-2147483648,"x":9223372036854775807}')
  expect([...doc.values()].map((value) => value?.constructor)).toEqual([Int32, Long, Double, Int32, Long])
  expect(formatValueJson(doc)).toBe('{"i":1,"l":2147483648,"d":1.0,"m":-2147483648,"x":9223372036854775807}')
})

test.each([
  ['{"$numberLong":"5"}', '5'],
  ['{"$numberInt":"5"}', '5'],
  ['{"$numberDouble":"5"}', '5.0'],
  ['{"$numberDecimal":"1.50"}', '1.50'],
  ['{"$date":{"$numberLong":"0"}}', '"1970-01-01T00:00:00.000+00:00"'],
  ['{"$date":86400000}', '"1970-01-02T00:00:00.000+00:00"'],
  ['ISODate()', '"1970-01-01T00:00:00.000+00:00"'],
  ['new Date("2020-02-29T12:30:00.5+02:00")', '"2020-02-29T10:30:00.500+00:00"'],
  ['NumberInt("7")', '7'],
  ['NumberLong(7)', '7'],
  ['{"$regex":"a+","$options":"i"}', '{"pattern":"a+","options":"i"}'],
  ['{"$regex":"a+","other":1}', '{"$regex":"a+","other":1}'],
  ['/a\\/b/mi', '{"pattern":"a\\\\/b","options":"im"}'],
  ['{"$binary":{"base64":"YQ==","subType":"00"}}', '{"type":0,"data":"YQ=="}'],
  ['BinData(0,"YQ==")', '{"type":0,"data":"YQ=="}'],
  ['{"$timestamp":{"t":1,"i":2}}', '{"value":4294967298,"time":1,"inc":2}'],
  ['MinKey', '{}'],
  ['{"$maxKey":1}', '{}'],
  ['undefined', '{}'],
])('%s reads back as %s', (value, text) => {
  const doc = parse(`{"x":${value}}`)
  const back = decodeStored(readBson(BSON.serialize(toStored(doc) as Map<string, BsonValue>)))
  expect(formatValueJson(back)).toBe(`{"x":${text}}`)
})

test.each([
  '{"$oid":"short"}',
  '{"$numberLong":"1.5"}',
  '{"$date":"yesterday"}',
  '{"$numberLong":5}',
  'NumberInt(99999999999)',
  'ISODate(',
  'Unknown(1)',
  'new 5',
  '01',
  '1.',
  '-',
  '+1',
])('%s is refused with 400', (value) => {
  expect(status(`{"x":${value}}`)).toBe(400)
})
