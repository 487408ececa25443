/**
 * Parses Python's literals: numbers in all forms, texts with prefixes and escapes. Throws an UnreadableError
 * where Python refuses them.
 */
import { createUnreadable } from './read.ts'
import { formatPyFloat, type PyValue } from './value.ts'

export type PyLiteral =
  | { kind: 'constant'; value: PyValue; hasU?: boolean }
  /** A value without a form in JSON. `text` is its source text. */
  | { kind: 'opaque'; what: 'ellipsis' | 'bytes' | 'complex'; text: string }

/** Python refuses to read longer decimal integers, and to write them. */
const maxDigits = 4300
const tooLong = 10n ** BigInt(maxDigits)
export const isTooLong = (value: bigint) => value >= tooLong || value <= -tooLong

/** @param at where it stands, for the error. */
export function parseNumberLiteral(source: string, at: number): PyLiteral {
  const text = source.replaceAll('_', '').toLowerCase()
  if (/^0[xob]/.test(text)) return { kind: 'constant', value: BigInt(text) }
  if (text.endsWith('j'))
    return {
      kind: 'opaque',
      what: 'complex',
      text: `${formatPyFloat(Number(text.slice(0, -1))).replace(/\.0$/, '')}j`.replace('inf', '1e309'),
    }
  if (/[.e]/.test(text)) return { kind: 'constant', value: Number(text) }
  if (text.length > maxDigits) createUnreadable('a number with too many digits', at)
  return { kind: 'constant', value: BigInt(text) }
}

/** Adjacent texts, which are one. */
export function parseStringLiteral(sources: readonly string[], at: number): PyLiteral {
  const parts = sources.map((source) => parseStringPart(source, at))
  const bytes = parts.filter(({ isBytes }) => isBytes).length
  if (bytes > 0 && bytes < parts.length) createUnreadable('bytes beside a text', at)
  const value = parts.map((part) => part.value).join('')
  if (bytes > 0) return { kind: 'opaque', what: 'bytes', text: formatBytes(value) }
  return { kind: 'constant', value, ...(/^[uU]/.test(sources[0]!) && { hasU: true }) }
}

function parseStringPart(source: string, at: number): { value: string; isBytes: boolean } {
  const letters = /^[a-zA-Z]*/.exec(source)![0].toLowerCase()
  if (letters.includes('f')) createUnreadable('an f-string', at)
  const quoted = source.slice(letters.length)
  const width = quoted.length >= 6 && quoted.startsWith(quoted[0]!.repeat(3)) ? 3 : 1
  const inner = quoted.slice(width, -width)
  const isBytes = letters.includes('b')
  if (isBytes && /[^\0-\x7f]/.test(inner)) createUnreadable('bytes beyond ASCII', at)
  if (letters.includes('r') || !inner.includes('\\')) return { value: inner, isBytes }
  return { value: inner.replaceAll(escape, (sequence) => unescapeSequence(sequence, isBytes, at)), isBytes }
}

const escape = /\\(?:x[0-9a-fA-F]{0,2}|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|[0-7]{1,3}|[\s\S])/g
const single: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const lengths: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 }

function unescapeSequence(sequence: string, isBytes: boolean, at: number): string {
  const kind = sequence[1]!
  if (Object.hasOwn(single, kind)) return single[kind]!
  if (/[0-7]/.test(kind)) {
    const code = Number.parseInt(sequence.slice(1), 8)
    return String.fromCharCode(isBytes ? code & 0xff : code)
  }
  if (kind === 'x' || (!isBytes && (kind === 'u' || kind === 'U'))) {
    const code = Number.parseInt(sequence.slice(2), 16)
    if (sequence.length !== lengths[kind] || code > 0x10ffff) createUnreadable('a broken escape', at)
    return String.fromCodePoint(code)
  }
  // Names of characters would take a table of all of them.
  if (kind === 'N' && !isBytes) createUnreadable('a character by its name', at)
  // Python keeps the backslash of an escape that it does not know.
  return sequence
}

function formatBytes(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  const named: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  const body = value.replaceAll(/[^\x20-\x7e]|['"\\]/g, (char) => {
    if (Object.hasOwn(named, char)) return named[char]!
    if (char === '"' || char === "'") return char === quote ? `\\${char}` : char
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `b${quote}${body}${quote}`
}
