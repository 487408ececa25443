/** Extended JSON: objects such as {"$numberLong": "5"} that stand for one value. */
import { Binary, BSONRegExp, Double, Int32, Long, ObjectId, Timestamp, UUID } from 'mongodb'
import { parseDate } from './dates.ts'
import { type DocumentParser, createUnexpected } from './parse.ts'
import { parseInteger, type DocumentToken } from './scanner.ts'
import { DocumentError, SpecialValue, type BsonValue } from './value.ts'

type ExtendedReader = (parser: DocumentParser) => BsonValue | undefined

const readStringToken = (parser: DocumentParser) => parser.expect('string').text
const expectToken = (parser: DocumentParser, ...kinds: DocumentToken['kind'][]): DocumentToken => {
  const token = parser.scanner.next()
  if (!kinds.includes(token.kind)) throw createUnexpected(kinds.join(' or '), token)
  return token
}
/** Reads `: value }` after the name. */
const readOnlyValue = (read: (parser: DocumentParser) => BsonValue): ExtendedReader => {
  return (parser) => {
    parser.expect(':')
    const value = read(parser)
    parser.expect('}')
    return value
  }
}
/** Reads `: { name: value, … }` with these names in any order. */
function readFields(parser: DocumentParser, ...names: string[]): Map<string, DocumentToken> {
  const tokens = new Map<string, DocumentToken>()
  parser.expect('{')
  for (const _ of names) {
    if (tokens.size > 0) parser.expect(',')
    const name = expectToken(parser, 'string', 'word')
    if (!names.includes(name.text)) throw createUnexpected(names.join(' or '), name)
    parser.expect(':')
    tokens.set(name.text, expectToken(parser, 'string', 'number'))
  }
  if (tokens.size < names.length)
    throw new DocumentError(400, `JSON reader was expecting the fields ${names.join(' and ')}.`)
  parser.expect('}')
  return tokens
}

export function createObjectId(hex: string): ObjectId {
  if (!/^[0-9a-fA-F]{24}$/.test(hex))
    throw new DocumentError(400, `invalid hexadecimal representation of an ObjectId: [${hex.slice(0, 40)}]`)
  return new ObjectId(hex)
}
/** Numbers written as text, of the kind that is asked for. A text that is none is a syntax error. */
export function createLong(digits: string): Long {
  if (!/^[+-]?\d{1,19}$/.test(digits))
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a 64-bit integer.`)
  const value = BigInt(digits.replace('+', ''))
  if (BigInt.asIntN(64, value) !== value) throw new DocumentError(400, `'${digits}' is not a 64-bit integer.`)
  return Long.fromBigInt(value)
}
export function createInt(digits: string): Int32 {
  const value = /^[+-]?\d{1,10}$/.test(digits) ? parseInteger(digits.replace('+', '')) : undefined
  if (!(value instanceof Int32))
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a 32-bit integer.`)
  return value
}
export function createDecimal(digits: string): SpecialValue {
  if (
    !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$|^NaN$|^[+-]?Infinity$/.test(digits) ||
    digits.length > 50
  )
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a decimal number.`)
  return new SpecialValue('decimal', digits)
}
function createDouble(digits: string): Double {
  const value = Number(digits)
  if (digits.trim() === '' || (Number.isNaN(value) && digits !== 'NaN'))
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a number.`)
  return new Double(value)
}
export const createBinary = (base64: string, subType: number) =>
  new Binary(Buffer.from(base64, 'base64'), subType & 0xff)
export function createUuid(hex: string): Binary {
  if (!UUID.isValid(hex)) throw new DocumentError(400, `'${hex.slice(0, 40)}' is not a UUID.`)
  return new UUID(hex).toBinary()
}
const toUnsigned = (token?: DocumentToken) => Number(token?.text) >>> 0

function readDate(parser: DocumentParser): BsonValue {
  const token = expectToken(parser, 'string', 'number', '{')
  if (token.kind === 'string') return parseDate(token.text)
  if (token.kind === 'number') return new Date(Number(token.text))
  const name = expectToken(parser, 'string', 'word')
  if (name.text !== '$numberLong') throw createUnexpected('$numberLong', name)
  parser.expect(':')
  const value = new Date(createLong(readStringToken(parser)).toNumber())
  parser.expect('}')
  return value
}

/**
 * {"$regex": "…", "$options": "i"}, in either order. Anything else that begins so is a document (a filter,
 * say).
 */
const regularExpression =
  (first: '$regex' | '$options'): ExtendedReader =>
  ({ scanner }) => {
    const parts: Record<string, string> = {}
    for (let name: string = first; ;) {
      if (scanner.next().kind !== ':') return undefined
      const value = scanner.next()
      if (value.kind !== 'string') return undefined
      parts[name] = value.text
      const after = scanner.next()
      if (after.kind === '}')
        return parts.$regex === undefined ? undefined : createRegex(parts.$regex, parts.$options ?? '')
      const next = after.kind === ',' ? scanner.next().text : ''
      if ((next !== '$regex' && next !== '$options') || next in parts) return undefined
      name = next
    }
  }
export const createRegex = (pattern: string, options: string) => {
  if (pattern.includes('\0') || !/^[imxsu]*$/.test(options))
    throw new DocumentError(400, 'Invalid JSON regular expression.')
  return new BSONRegExp(pattern, options)
}

const readers: Record<string, ExtendedReader> = {
  $oid: readOnlyValue((parser) => createObjectId(readStringToken(parser))),
  $date: readOnlyValue(readDate),
  $numberLong: readOnlyValue((parser) => createLong(readStringToken(parser))),
  $numberInt: readOnlyValue((parser) => createInt(readStringToken(parser))),
  $numberDouble: readOnlyValue((parser) => createDouble(readStringToken(parser))),
  $numberDecimal: readOnlyValue((parser) => createDecimal(readStringToken(parser))),
  $uuid: readOnlyValue((parser) => createUuid(readStringToken(parser))),
  $symbol: readOnlyValue((parser) => new SpecialValue('symbol', readStringToken(parser))),
  $code: readOnlyValue((parser) => new SpecialValue('code', readStringToken(parser))),
  $minKey: readOnlyValue((parser) => (expectToken(parser, 'number'), new SpecialValue('minKey', ''))),
  $maxKey: readOnlyValue((parser) => (expectToken(parser, 'number'), new SpecialValue('maxKey', ''))),
  $undefined: readOnlyValue((parser) => (expectToken(parser, 'word'), new SpecialValue('undefined', ''))),
  $timestamp: readOnlyValue((parser) => {
    const tokens = readFields(parser, 't', 'i')
    return new Timestamp({ t: toUnsigned(tokens.get('t')), i: toUnsigned(tokens.get('i')) })
  }),
  $regularExpression: readOnlyValue((parser) => {
    const tokens = readFields(parser, 'pattern', 'options')
    return createRegex(tokens.get('pattern')?.text ?? '', tokens.get('options')?.text ?? '')
  }),
  $binary: (parser) => {
    parser.expect(':')
    if (parser.scanner.peek().kind === '{') {
      const tokens = readFields(parser, 'base64', 'subType')
      parser.expect('}')
      return createBinary(
        tokens.get('base64')?.text ?? '',
        Number.parseInt(tokens.get('subType')?.text ?? '0', 16),
      )
    }
    const data = readStringToken(parser)
    parser.expect(',')
    if (expectToken(parser, 'string', 'word').text !== '$type')
      throw new DocumentError(400, 'JSON reader was expecting $type.')
    parser.expect(':')
    const type = expectToken(parser, 'string', 'number')
    parser.expect('}')
    return createBinary(data, Number.parseInt(type.text, 16))
  },
  $regex: regularExpression('$regex'),
  $options: regularExpression('$options'),
}

/**
 * The value that an object beginning with this name stands for; undefined where it is an ordinary document.
 */
export const readExtended = (name: string, parser: DocumentParser): BsonValue | undefined =>
  Object.hasOwn(readers, name) ? readers[name]?.(parser) : undefined
