/**
 * Values as Python has them. NESTFUL's released code compares values as Python text, where 1 and 1.0 differ,
 * and runs Python functions, some of which reject floats. So integers are bigints here, and floats are
 * numbers.
 */

export type PyValue = null | boolean | string | bigint | number | PyValue[] | PyDict | PyComplex

/**
 * The result of `**` for a negative base and a broken exponent. Only functions return it; no text is read as
 * one.
 */
export class PyComplex {
  readonly re: number
  readonly im: number

  constructor(re: number, im: number) {
    ;[this.re, this.im] = [re, im]
  }
}

/**
 * A dict: keys in the order of their first assignment. A value that was read knows where it stands in its
 * text.
 */
export class PyDict extends Map<PyValue, PyValue> {
  /** Place of the opening brace, and the place after the closing one. */
  start = -1
  end = -1
}

export const isDict = (value: unknown): value is PyDict => value instanceof PyDict

/** The member of a text key; undefined where there is none. */
export const getPyMember = (value: PyValue | undefined, key: string): PyValue | undefined =>
  isDict(value) ? value.get(key) : undefined

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const plain = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/
const formatPyHex = (code: number, width: number) => code.toString(16).padStart(width, '0')

/** Quotes a text as Python's repr writes it: single quotes, unless only double ones avoid escapes. */
function quotePy(text: string): string {
  if (plain.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let out = quote
  for (const char of text) out += char === quote ? `\\${char}` : (escapes[char] ?? isPrintable(char))
  return out + quote
}
function isPrintable(char: string): string {
  const code = char.codePointAt(0)!
  if (code >= 0x20 && code < 0x7f) return char
  if (code > 0x7f && !/[\p{C}\p{Z}]/u.test(char)) return char
  if (code < 0x100) return `\\x${formatPyHex(code, 2)}`
  return code < 0x10000 ? `\\u${formatPyHex(code, 4)}` : `\\U${formatPyHex(code, 8)}`
}

/** Formats a float as Python's repr writes it: `1.0`, `1e+16`, `1e-05`, `inf`. */
export function formatPyFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const size = Math.abs(value)
  if (size >= 1e16 || size < 1e-4) {
    const [digits, exponent = ''] = value.toExponential().split('e')
    const sign = exponent[0]
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`
  }
  // JavaScript has no exponent between 1e-6 and 1e21, so within these bounds it writes what Python writes.
  const text = String(value)
  return Number.isInteger(value) ? `${text}.0` : text
}

/** Python's repr. */
export function formatPyRepr(value: PyValue): string {
  if (typeof value === 'string') return quotePy(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return formatPyFloat(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (value instanceof PyComplex) return formatComplex(value)
  if (Array.isArray(value)) return `[${value.map(formatPyRepr).join(', ')}]`
  return `{${[...value].map(([key, item]) => `${formatPyRepr(key)}: ${formatPyRepr(item)}`).join(', ')}}`
}

function formatComplex({ re, im }: PyComplex): string {
  const [real, imaginary] = [re, im].map((part) => formatPyFloat(part).replace(/\.0$/, ''))
  if (Object.is(re, 0)) return `${imaginary}j`
  return `(${real}${/^[-]/.test(imaginary!) ? '' : '+'}${imaginary}j)`
}

/** Python's str: like repr, but a text is itself. */
export const formatPyStr = (value: PyValue): string =>
  typeof value === 'string' ? value : formatPyRepr(value)

/**
 * Writes JSON as Python's json.dumps does, with non-ASCII text unchanged; writes a complex number, which
 * json.dumps refuses, as text.
 */
export function formatPyJson(value: PyValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return String(value)
  if (value === null) return 'null'
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? formatPyFloat(value)
      : value > 0
        ? 'Infinity'
        : value < 0
          ? '-Infinity'
          : 'NaN'
  if (typeof value === 'bigint') return String(value)
  if (value instanceof PyComplex) return JSON.stringify(formatPyRepr(value))
  if (Array.isArray(value)) return `[${value.map(formatPyJson).join(', ')}]`
  return `{${[...value].map(([key, item]) => `${JSON.stringify(formatPyKey(key))}: ${formatPyJson(item)}`).join(', ')}}`
}
/** How json.dumps writes a key that is no text. */
const formatPyKey = (key: PyValue): string =>
  typeof key === 'string' ? key : isContainer(key) ? formatPyRepr(key) : formatPyJson(key)
const isContainer = (key: PyValue) => Array.isArray(key) || isDict(key)

/** Python's ==: 3 == 3.0, True == 1. */
export function isPyEqual(a: PyValue, b: PyValue): boolean {
  const [x, y] = [toPyNumber(a), toPyNumber(b)]
  if (x !== null && y !== null) return x == y
  if (typeof a === 'string' || typeof b === 'string' || a === null || b === null) return a === b
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isPyEqual(item, b[at]!))
  if (!isDict(a) || !isDict(b) || a.size !== b.size) return false
  return [...a].every(([key, item]) => b.has(key) && isPyEqual(item, b.get(key)!))
}
/** Converts a value for Python's comparison of numbers. */
export function toPyNumber(value: PyValue): bigint | number | null {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'bigint' || typeof value === 'number' ? value : null
}

/** Plain JSON as a value: whole numbers are integers. */
export function toPy(value: unknown): PyValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(toPy)
  if (typeof value !== 'object' || value === null) return value as PyValue
  return new PyDict(Object.entries(value).map(([key, item]): [PyValue, PyValue] => [key, toPy(item)]))
}

/** The key of a dict that equals the given one, else the given one: 1, 1.0 and True are the same key. */
export function findPyKey<T>(dict: ReadonlyMap<T | PyValue, unknown>, key: T | PyValue): T | PyValue {
  const number = toPyNumber(key as PyValue)
  if (number === null || Number.isNaN(number)) return key
  const float = Number(number)
  const equals: PyValue[] = [
    ...(float == number ? [float] : []),
    ...(typeof number === 'bigint' || Number.isInteger(number) ? [BigInt(number)] : []),
    ...(number == 1 ? [true] : number == 0 ? [false] : []),
  ]
  return equals.find((one) => dict.has(one)) ?? key
}
