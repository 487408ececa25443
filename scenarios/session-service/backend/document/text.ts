/** Documents as text: the JSON that is answered, and the Java text form that duplicates are recognised by. */
import { createHash } from 'node:crypto'
import { Binary, BSONRegExp, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb'
import { writeDate } from './dates.ts'
import { type BsonDocument, SpecialValue, type BsonValue } from './value.ts'

/**
 * A double as Java prints it: 1.0, 2.5, 1.0E10. An integral double keeps its point, so `1.0` reads back as
 * `1.0`.
 */
export function formatJavaDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size === 0) return '0.0'
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value)
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent.replace('+', '')}`
}

// Jackson leaves the Basic Multilingual Plane as it is and escapes each half of what lies beyond.
const quoteJackson = (text: string) =>
  JSON.stringify(text).replace(/[\u{10000}-\u{10ffff}]/gu, (char) =>
    [0, 1].map((half) => `\\u${char.charCodeAt(half).toString(16).toUpperCase()}`).join(''),
  )

/**
 * The JSON text of a value. What JSON can't say is a text (NaN, dates) or, for an ObjectId, an empty object,
 * as upstream answers.
 */
export function formatValueJson(value: BsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return quoteJackson(value)
  if (Array.isArray(value)) return `[${value.map(formatValueJson).join(',')}]`
  if (value instanceof Map)
    return `{${[...value].map(([name, item]) => `${quoteJackson(name)}:${formatValueJson(item)}`).join(',')}}`
  if (value instanceof Double)
    return Number.isFinite(value.value) ? formatJavaDouble(value.value) : `"${value.value}"`
  // A Timestamp is a Long to the driver, so it is checked first.
  if (value instanceof Timestamp)
    return `{"value":${value.toBigInt()},"time":${value.getHighBitsUnsigned()},"inc":${value.getLowBitsUnsigned()}}`
  if (value instanceof Int32 || value instanceof Long) return value.toString()
  if (value instanceof Date) return `"${writeDate(value)}"`
  if (value instanceof ObjectId) return '{}'
  if (value instanceof Binary) return `{"type":${value.sub_type},"data":"${value.toString('base64')}"}`
  if (value instanceof BSONRegExp)
    return `{"pattern":${quoteJackson(value.pattern)},"options":"${value.options}"}`
  return formatSpecial(value)
}

function formatSpecial({ kind, text }: SpecialValue): string {
  switch (kind) {
    case 'decimal':
      return /^[+-]?(?:NaN|Infinity)$/.test(text) ? quoteJackson(text) : formatDecimal(text)
    case 'minKey':
    case 'maxKey':
    case 'undefined':
      return '{}'
    case 'code':
      return `{"code":${quoteJackson(text)}}`
    case 'symbol':
      return `{"symbol":${quoteJackson(text)}}`
  }
}
/** `.5`, `+1` and `1.` are decimals but no JSON numbers. */
function formatDecimal(text: string): string {
  const [digits = '', sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?/.exec(text) ?? []
  const exponent = text.slice(digits.length)
  return `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}${exponent}`
}

/**
 * The text form of Java's driver: `Document{{a=1, b=[x, null]}}`. Text and number are not told apart, `1` and
 * `1.0` are.
 */
function formatJava(value: BsonValue): string {
  if (value instanceof Map)
    return `Document{{${[...value].map(([name, item]) => `${name}=${formatJava(item)}`).join(', ')}}}`
  if (Array.isArray(value)) return `[${value.map(formatJava).join(', ')}]`
  if (value instanceof Double) return formatJavaDouble(value.value)
  if (value instanceof Date) return writeDate(value)
  if (value instanceof SpecialValue) return `${value.kind}(${value.text})`
  if (value instanceof Binary || value instanceof BSONRegExp || value instanceof Timestamp)
    return formatValueJson(value)
  if (value instanceof ObjectId) return value.toHexString()
  return String(value)
}

/**
 * Computes the checksum of duplicates, in hex, of the Java text form. It guards nothing, so MD5's weakness
 * does no harm.
 */
export const computeChecksum = (document: BsonDocument) =>
  createHash('md5').update(formatJava(document)).digest('hex')
