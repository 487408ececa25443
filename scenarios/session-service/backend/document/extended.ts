/** Extended JSON: objects such as {"$numberLong": "5"} that stand for one value. */
import { Binary, BSONRegExp, Double, Int32, Long, ObjectId, Timestamp, UUID } from 'mongodb'
import { parseDate } from './dates.ts'
import { type Parser, unexpected } from './parse.ts'
import { integer, type Token } from './scanner.ts'
import { DocumentError, Special, type Value } from './value.ts'

type Reader = (parser: Parser) => Value | undefined

const text = (parser: Parser) => parser.expect('string').text
const tokenOf = (parser: Parser, ...kinds: Token['kind'][]): Token => {
  const token = parser.scanner.next()
  if (!kinds.includes(token.kind)) throw unexpected(kinds.join(' or '), token)
  return token
}
/** Reads `: value }` after the name. */
const only = (read: (parser: Parser) => Value): Reader => {
  return (parser) => {
    parser.expect(':')
    const value = read(parser)
    parser.expect('}')
    return value
  }
}
/** Reads `: { name: value, … }` with these names in any order. */
function fields(parser: Parser, ...names: string[]): Map<string, Token> {
  const tokens = new Map<string, Token>()
  parser.expect('{')
  for (const _ of names) {
    if (tokens.size > 0) parser.expect(',')
    const name = tokenOf(parser, 'string', 'word')
    if (!names.includes(name.text)) throw unexpected(names.join(' or '), name)
    parser.expect(':')
    tokens.set(name.text, tokenOf(parser, 'string', 'number'))
  }
  if (tokens.size < names.length)
    throw new DocumentError(400, `JSON reader was expecting the fields ${names.join(' and ')}.`)
  parser.expect('}')
  return tokens
}

export function objectId(hex: string): ObjectId {
  if (!/^[0-9a-fA-F]{24}$/.test(hex))
    throw new DocumentError(400, `invalid hexadecimal representation of an ObjectId: [${hex.slice(0, 40)}]`)
  return new ObjectId(hex)
}
/** Numbers written as text, of the kind that is asked for. A text that is none is a syntax error. */
export function long(digits: string): Long {
  if (!/^[+-]?\d{1,19}$/.test(digits))
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a 64-bit integer.`)
  const value = BigInt(digits.replace('+', ''))
  if (BigInt.asIntN(64, value) !== value) throw new DocumentError(400, `'${digits}' is not a 64-bit integer.`)
  return Long.fromBigInt(value)
}
export function int(digits: string): Int32 {
  const value = /^[+-]?\d{1,10}$/.test(digits) ? integer(digits.replace('+', '')) : undefined
  if (!(value instanceof Int32))
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a 32-bit integer.`)
  return value
}
export function decimal(digits: string): Special {
  if (
    !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$|^NaN$|^[+-]?Infinity$/.test(digits) ||
    digits.length > 50
  )
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a decimal number.`)
  return new Special('decimal', digits)
}
function double(digits: string): Double {
  const value = Number(digits)
  if (digits.trim() === '' || (Number.isNaN(value) && digits !== 'NaN'))
    throw new DocumentError(400, `'${digits.slice(0, 40)}' is not a number.`)
  return new Double(value)
}
export const binary = (base64: string, subType: number) =>
  new Binary(Buffer.from(base64, 'base64'), subType & 0xff)
export function uuid(hex: string): Binary {
  if (!UUID.isValid(hex)) throw new DocumentError(400, `'${hex.slice(0, 40)}' is not a UUID.`)
  return new UUID(hex).toBinary()
}
const unsigned = (token?: Token) => Number(token?.text) >>> 0

function date(parser: Parser): Value {
  const token = tokenOf(parser, 'string', 'number', '{')
  if (token.kind === 'string') return parseDate(token.text)
  if (token.kind === 'number') return new Date(Number(token.text))
  const name = tokenOf(parser, 'string', 'word')
  if (name.text !== '$numberLong') throw unexpected('$numberLong', name)
  parser.expect(':')
  const value = new Date(long(text(parser)).toNumber())
  parser.expect('}')
  return value
}

/**
 * {"$regex": "…", "$options": "i"}, in either order. Anything else that begins so is a document (a filter,
 * say).
 */
const regularExpression =
  (first: '$regex' | '$options'): Reader =>
  ({ scanner }) => {
    const parts: Record<string, string> = {}
    for (let name: string = first; ;) {
      if (scanner.next().kind !== ':') return undefined
      const value = scanner.next()
      if (value.kind !== 'string') return undefined
      parts[name] = value.text
      const after = scanner.next()
      if (after.kind === '}')
        return parts.$regex === undefined ? undefined : regexOf(parts.$regex, parts.$options ?? '')
      const next = after.kind === ',' ? scanner.next().text : ''
      if ((next !== '$regex' && next !== '$options') || next in parts) return undefined
      name = next
    }
  }
export const regexOf = (pattern: string, options: string) => {
  if (pattern.includes('\0') || !/^[imxsu]*$/.test(options))
    throw new DocumentError(400, 'Invalid JSON regular expression.')
  return new BSONRegExp(pattern, options)
}

const readers: Record<string, Reader> = {
  $oid: only((parser) => objectId(text(parser))),
  $date: only(date),
  $numberLong: only((parser) => long(text(parser))),
  $numberInt: only((parser) => int(text(parser))),
  $numberDouble: only((parser) => double(text(parser))),
  $numberDecimal: only((parser) => decimal(text(parser))),
  $uuid: only((parser) => uuid(text(parser))),
  $symbol: only((parser) => new Special('symbol', text(parser))),
  $code: only((parser) => new Special('code', text(parser))),
  $minKey: only((parser) => (tokenOf(parser, 'number'), new Special('minKey', ''))),
  $maxKey: only((parser) => (tokenOf(parser, 'number'), new Special('maxKey', ''))),
  $undefined: only((parser) => (tokenOf(parser, 'word'), new Special('undefined', ''))),
  $timestamp: only((parser) => {
    const tokens = fields(parser, 't', 'i')
    return new Timestamp({ t: unsigned(tokens.get('t')), i: unsigned(tokens.get('i')) })
  }),
  $regularExpression: only((parser) => {
    const tokens = fields(parser, 'pattern', 'options')
    return regexOf(tokens.get('pattern')?.text ?? '', tokens.get('options')?.text ?? '')
  }),
  $binary: (parser) => {
    parser.expect(':')
    if (parser.scanner.peek().kind === '{') {
      const tokens = fields(parser, 'base64', 'subType')
      parser.expect('}')
      return binary(tokens.get('base64')?.text ?? '', Number.parseInt(tokens.get('subType')?.text ?? '0', 16))
    }
    const data = text(parser)
    parser.expect(',')
    if (tokenOf(parser, 'string', 'word').text !== '$type')
      throw new DocumentError(400, 'JSON reader was expecting $type.')
    parser.expect(':')
    const type = tokenOf(parser, 'string', 'number')
    parser.expect('}')
    return binary(data, Number.parseInt(type.text, 16))
  },
  $regex: regularExpression('$regex'),
  $options: regularExpression('$options'),
}

/**
 * The value that an object beginning with this name stands for; undefined where it is an ordinary document.
 */
export const extended = (name: string, parser: Parser): Value | undefined =>
  Object.hasOwn(readers, name) ? readers[name]?.(parser) : undefined
