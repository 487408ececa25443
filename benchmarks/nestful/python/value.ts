/**
 * Values as Python has them. NESTFUL's released code compares values as Python text, where 1 and 1.0 differ,
 * and runs Python functions, some of which reject floats. So integers are bigints here, and floats are
 * numbers.
 */

export type Py = null | boolean | string | bigint | number | Py[] | Dict | Complex

/**
 * The result of `**` for a negative base and a broken exponent. No text is read as one: only functions give it.
 */
export class Complex {
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
export class Dict extends Map<Py, Py> {
  /** Place of the opening brace, and the place after the closing one. */
  start = -1
  end = -1
}

export const isDict = (value: unknown): value is Dict => value instanceof Dict

/** The member of a text key; undefined where there is none. */
export const memberOf = (value: Py | undefined, key: string): Py | undefined =>
  isDict(value) ? value.get(key) : undefined

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const plain = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/
const hex = (code: number, width: number) => code.toString(16).padStart(width, '0')

/** Quotes a text as Python's repr writes it: single quotes, unless only double ones avoid escapes. */
export function quoted(text: string): string {
  if (plain.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let out = quote
  for (const char of text) out += char === quote ? `\\${char}` : (escapes[char] ?? printable(char))
  return out + quote
}
function printable(char: string): string {
  const code = char.codePointAt(0)!
  if (code >= 0x20 && code < 0x7f) return char
  if (code > 0x7f && !/[\p{C}\p{Z}]/u.test(char)) return char
  if (code < 0x100) return `\\x${hex(code, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

/** Formats a float as Python's repr writes it: `1.0`, `1e+16`, `1e-05`, `inf`. */
export function floatText(value: number): string {
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
export function repr(value: Py): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return floatText(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (value instanceof Complex) return complexText(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  return `{${[...value].map(([key, item]) => `${repr(key)}: ${repr(item)}`).join(', ')}}`
}

function complexText({ re, im }: Complex): string {
  const [real, imaginary] = [re, im].map((part) => floatText(part).replace(/\.0$/, ''))
  if (Object.is(re, 0)) return `${imaginary}j`
  return `(${real}${/^[-]/.test(imaginary!) ? '' : '+'}${imaginary}j)`
}

/** Python's str: like repr, but a text is itself. */
export const str = (value: Py): string => (typeof value === 'string' ? value : repr(value))

/**
 * Writes JSON like Python's json.dumps writes it, non-ASCII text as it is; a complex number, which it refuses,
 * as text.
 */
export function jsonOf(value: Py): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return String(value)
  if (value === null) return 'null'
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? floatText(value)
      : value > 0
        ? 'Infinity'
        : value < 0
          ? '-Infinity'
          : 'NaN'
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Complex) return JSON.stringify(repr(value))
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(', ')}]`
  return `{${[...value].map(([key, item]) => `${JSON.stringify(keyText(key))}: ${jsonOf(item)}`).join(', ')}}`
}
/** How json.dumps writes a key that is no text. */
const keyText = (key: Py): string =>
  typeof key === 'string' ? key : isContainer(key) ? repr(key) : jsonOf(key)
const isContainer = (key: Py) => Array.isArray(key) || isDict(key)

/** Python's ==: 3 == 3.0, True == 1. */
export function pyEqual(a: Py, b: Py): boolean {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== null && y !== null) return x == y
  if (typeof a === 'string' || typeof b === 'string' || a === null || b === null) return a === b
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => pyEqual(item, b[at]!))
  if (!isDict(a) || !isDict(b) || a.size !== b.size) return false
  return [...a].every(([key, item]) => b.has(key) && pyEqual(item, b.get(key)!))
}
/** Converts a value for Python's comparison of numbers. */
export function numberOf(value: Py): bigint | number | null {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'bigint' || typeof value === 'number' ? value : null
}

/** Plain JSON as a value: whole numbers are integers. */
export function pyOf(value: unknown): Py {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(pyOf)
  if (typeof value !== 'object' || value === null) return value as Py
  return new Dict(Object.entries(value).map(([key, item]): [Py, Py] => [key, pyOf(item)]))
}

/** The key of a dict that equals the given one, else the given one: 1, 1.0 and True are the same key. */
export function keyIn<T>(dict: ReadonlyMap<T | Py, unknown>, key: T | Py): T | Py {
  const number = numberOf(key as Py)
  if (number === null || Number.isNaN(number)) return key
  const float = Number(number)
  const equals: Py[] = [
    ...(float == number ? [float] : []),
    ...(typeof number === 'bigint' || Number.isInteger(number) ? [BigInt(number)] : []),
    ...(number == 1 ? [true] : number == 0 ? [false] : []),
  ]
  return equals.find((one) => dict.has(one)) ?? key
}
