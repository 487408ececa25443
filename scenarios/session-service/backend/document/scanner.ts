/**
 * Tokens of MongoDB's relaxed document text: JSON, unquoted names, single quotes, regular expressions, shell
 * words.
 */
import { Double, Int32, Long } from 'mongodb'
import { DocumentError } from './value.ts'

export type DocumentToken =
  | { kind: '{' | '}' | '[' | ']' | '(' | ')' | ':' | ','; text: string }
  | { kind: 'end'; text: '' }
  | { kind: 'string'; text: string }
  | { kind: 'word'; text: string }
  | { kind: 'number'; text: string; value: Int32 | Long | Double }
  | { kind: 'regex'; text: string; pattern: string; options: string }

const blanks = /[\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*/y
const word = /[$_\p{L}][$_\p{L}\p{N}]*/uy
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?=[,}\])\s]|$)/y
const infinity = /-Infinity(?=[,}\])\s]|$)/y
const regex = /\/((?:[^/\\]|\\[^])*)\/([imxs]*)(?=[,}\])\s]|$)/y
const escapes: Record<string, string> = {
  "'": "'",
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const MAX_LONG = 2n ** 63n

/** An integer of 32 bits, else of 64 bits. A larger one is upstream's unhandled number error: 500. */
export function parseInteger(text: string): Int32 | Long {
  // More than 20 characters can't fit; a text of a million digits is not even read.
  if (text.length < 10) return new Int32(Number(text))
  const value = text.length > 20 ? MAX_LONG : BigInt(text)
  if (value >= MAX_LONG || value < -MAX_LONG)
    throw new DocumentError(500, `the integer ${text.slice(0, 40)} has more than 64 bits`)
  return value >= -(2n ** 31n) && value < 2n ** 31n ? new Int32(Number(value)) : Long.fromBigInt(value)
}

export class DocumentScanner {
  readonly text: string
  /** Position where the next token begins; may be set back. */
  at = 0
  constructor(text: string) {
    this.text = text
  }

  peek(): DocumentToken {
    const at = this.at
    const token = this.next()
    this.at = at
    return token
  }

  /** Takes the mark, if it is the next token. */
  takes(mark: string): boolean {
    this.#skipBlanks()
    if (this.text[this.at] !== mark) return false
    this.at++
    return true
  }

  next(): DocumentToken {
    this.#skipBlanks()
    const char = this.text[this.at]
    if (char === undefined) return { kind: 'end', text: '' }
    switch (char) {
      case '{':
      case '}':
      case '[':
      case ']':
      case '(':
      case ')':
      case ':':
      case ',':
        this.at++
        return { kind: char, text: char }
      case '"':
      case "'":
        return { kind: 'string', text: this.#string(char) }
      case '/':
        return this.#regex()
      default:
        return this.#number(char) ?? this.#word(char)
    }
  }

  /**
   * Most tokens stand side by side: a look at the next character is ten times as fast as a pattern that finds
   * nothing.
   */
  #skipBlanks() {
    const code = this.text.charCodeAt(this.at)
    if (code <= 0x20 || code >= 0x80) this.#match(blanks)
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    if (match) this.at += match[0].length
    return match
  }

  #string(quote: string): string {
    let out = ''
    this.at++
    const end = this.text.indexOf(quote, this.at)
    const plain = this.text.slice(this.at, Math.max(this.at, end))
    if (end >= 0 && !plain.includes('\\')) {
      this.at = end + 1
      return plain
    }
    for (;;) {
      const char = this.text[this.at++]
      if (char === undefined) throw new DocumentError(400, 'End of file in JSON string.')
      if (char === quote) return out
      out += char === '\\' ? this.#escape() : char
    }
  }

  #escape(): string {
    const char = this.text[this.at++] ?? ''
    if (char === 'u') {
      const digits = this.text.slice(this.at, this.at + 4)
      if (!/^[0-9a-fA-F]{4}$/.test(digits))
        throw new DocumentError(400, `Invalid escape sequence in JSON string '\\u${digits}'.`)
      this.at += 4
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const plain = Object.hasOwn(escapes, char) ? escapes[char] : undefined
    if (plain === undefined)
      throw new DocumentError(400, `Invalid escape sequence in JSON string '\\${char}'.`)
    return plain
  }

  #regex(): DocumentToken {
    const match = this.#match(regex)
    if (!match) throw new DocumentError(400, 'Invalid JSON regular expression.')
    return {
      kind: 'regex',
      text: match[0],
      pattern: match[1] ?? '',
      options: [...new Set(match[2])].sort().join(''),
    }
  }

  #number(first: string): DocumentToken | undefined {
    if (first !== '-' && !(first >= '0' && first <= '9')) return undefined
    const negative = this.#match(infinity)
    if (negative) return { kind: 'number', text: negative[0], value: new Double(Number.NEGATIVE_INFINITY) }
    const match = this.#match(number)
    if (!match) throw new DocumentError(400, `Invalid JSON number at ${this.#near()}.`)
    const [text, fraction, exponent] = match
    return {
      kind: 'number',
      text,
      value: (fraction ?? exponent) ? new Double(Number(text)) : parseInteger(text),
    }
  }

  #word(first: string): DocumentToken {
    const match = this.#match(word)
    if (!match)
      throw new DocumentError(400, `Invalid JSON input. Position: ${this.at}. Character: '${first}'.`)
    return { kind: 'word', text: match[0] }
  }

  #near = () => `'${this.text.slice(this.at, this.at + 20)}'`
}
