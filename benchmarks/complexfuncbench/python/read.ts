/**
 * Reads JSON as Python's json.loads does: integers and floats apart, NaN and Infinity allowed, the last of
 * equal keys wins.
 */
import type { PythonDict, PythonValue } from './value.ts'

/** Deeper nesting ends in an error, as it does in Python. */
const maxDepth = 200

export class NoJson extends Error {}

/** @throws NoJson where the text is no JSON. */
export function readJson(text: string): PythonValue {
  const reader = new PythonReader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

/** The JSON value that begins at a character of a text, and where it ends; null where none does. */
export function readPrefix(
  text: string,
  at: number,
  levels: number,
): { value: PythonValue; end: number } | null {
  const reader = new PythonReader(text, at)
  try {
    return { value: reader.value(maxDepth - levels), end: reader.place }
  } catch (error) {
    if (error instanceof NoJson) return null
    throw error
  }
}

const words: readonly (readonly [string, PythonValue])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]
const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
/** A longer integer is refused, as Python refuses it. */
const maxDigits = 4300

class PythonReader {
  private at: number
  private readonly text: string

  constructor(text: string, at = 0) {
    this.text = text
    this.at = at
  }

  /** The character after what was read. */
  get place(): number {
    return this.at
  }

  private fail(says: string): never {
    throw new NoJson(`${says} at character ${this.at}`)
  }

  private skip() {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at++
  }

  private take(character: string): boolean {
    this.skip()
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  end() {
    this.skip()
    if (this.at < this.text.length) this.fail('there is more after the value')
  }

  value(depth: number): PythonValue {
    if (depth > maxDepth) this.fail(`nested deeper than ${maxDepth} levels`)
    this.skip()
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth)
      case '[':
        return this.list(depth)
      case '"':
        return this.string()
      default:
        return this.wordOrNumber()
    }
  }

  private object(depth: number): PythonDict {
    const entries: PythonDict = new Map()
    this.at++
    if (this.take('}')) return entries
    do {
      this.skip()
      if (this.text[this.at] !== '"') this.fail('a name in double quotes is missing')
      const name = this.string()
      if (!this.take(':')) this.fail('a colon is missing')
      entries.set(name, this.value(depth + 1))
    } while (this.take(','))
    if (!this.take('}')) this.fail('a comma or } is missing')
    return entries
  }

  private list(depth: number): PythonValue[] {
    const items: PythonValue[] = []
    this.at++
    if (this.take(']')) return items
    do items.push(this.value(depth + 1))
    while (this.take(','))
    if (!this.take(']')) this.fail('a comma or ] is missing')
    return items
  }

  /** Finds the end, and leaves escapes to JSON.parse. */
  private string(): string {
    const begin = this.at++
    for (;;) {
      const character = this.text[this.at]
      if (character === undefined) this.fail('a string has no end')
      if (character === '"') break
      this.at += character === '\\' ? 2 : 1
    }
    this.at++
    try {
      return JSON.parse(this.text.slice(begin, this.at)) as string
    } catch {
      this.at = begin
      return this.fail('a string has a bad character')
    }
  }

  private wordOrNumber(): PythonValue {
    const entry = words.find(([word]) => this.text.startsWith(word, this.at))
    if (!entry) return this.number()
    this.at += entry[0].length
    return entry[1]
  }

  private number(): PythonValue {
    number.lastIndex = this.at
    const match = number.exec(this.text)
    if (!match) return this.fail('a value is missing')
    const [digits, fraction, exponent] = match
    this.at += digits.length
    if (fraction !== undefined || exponent !== undefined) return Number(digits)
    if (digits.length > maxDigits) this.fail('an integer is too long')
    return BigInt(digits)
  }
}
