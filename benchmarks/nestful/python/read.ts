/**
 * Reads one value from a text, in time linear in its length. `json` takes what Python's json.loads takes;
 * `lenient` also takes Python literals, trailing commas, missing commas between lines, a bracket too many or
 * too few, and comments: what models write.
 */
import { PyDict, type PyValue } from './value.ts'

type ReadingDialect = 'json' | 'lenient'

/** Deeper nesting is refused, as Python's recursion limit would. */
const deepest = 400
/** Python refuses to convert longer integers. */
const maxDigits = 4300

export class UnreadableError extends Error {
  override readonly name = 'Unreadable'
  /** Position where reading stopped. */
  readonly at: number
  /** The value before that place: a list or an object that lacks its end. */
  partial: PyValue | undefined
  readonly says: string

  constructor(says: string, at: number) {
    super(`${says} at character ${at}`)
    this.says = says
    this.at = at
  }
}

/**
 * Throws without a stack trace: hostile texts fail at every character, and a trace costs more than reading
 * does.
 */
export function createUnreadable(says: string, at: number): never {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    throw new UnreadableError(says, at)
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** The whole text as one value, blanks around it allowed. Throws an UnreadableError. */
export function readWhole(text: string, dialect: ReadingDialect = 'json'): PyValue {
  const reader = new PyReader(text, dialect, 0)
  const value = reader.value(0)
  reader.blanks()
  if (reader.at < text.length) throw new UnreadableError('extra data', reader.at)
  return value
}

/** The value that begins there, and where it ends. Throws an UnreadableError. */
export function readFromPosition(
  text: string,
  at: number,
  dialect: ReadingDialect = 'lenient',
): { value: PyValue; end: number } {
  const reader = new PyReader(text, dialect, at)
  const value = reader.value(0)
  return { value, end: reader.at }
}

const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y
const lenientNumber = /[-+]?(?:\d[\d_]*)?(\.\d*)?([eE][-+]?\d+)?/y
const word = /[A-Za-z_]\w*/y
const words: Readonly<Record<string, PyValue>> = {
  true: true,
  false: false,
  null: null,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
}
const lenientWords: Readonly<Record<string, PyValue>> = {
  ...words,
  True: true,
  False: false,
  None: null,
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
}
const escaped: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class PyReader {
  at: number
  readonly text: string
  readonly lenient: boolean

  constructor(text: string, dialect: ReadingDialect, at: number) {
    this.text = text
    this.lenient = dialect === 'lenient'
    this.at = at
  }

  fail(says: string): never {
    return createUnreadable(says, this.at)
  }

  blanks() {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (code === 32 || code === 10 || code === 13 || code === 9) continue
      const comment = code === 35 || (code === 47 && this.text[this.at + 1] === '/')
      if (!this.lenient || !comment) return
      const end = this.text.indexOf('\n', this.at)
      this.at = end < 0 ? this.text.length : end
    }
  }

  value(depth: number): PyValue {
    if (depth > deepest) this.fail('nested too deep')
    this.blanks()
    const char = this.text[this.at]
    if (char === '{') return this.dict(depth)
    if (char === '[') return this.list(depth, ']')
    if (char === '(' && this.lenient) return this.list(depth, ')')
    if (char === '"' || (char === "'" && this.lenient)) return this.string(char)
    return this.numberOrWord()
  }

  list(depth: number, close: string): PyValue[] {
    const items: PyValue[] = []
    this.at++
    try {
      for (;;) {
        this.blanks()
        if (this.text[this.at] === close && (items.length === 0 || this.lenient)) break
        items.push(this.value(depth + 1))
        this.passStray(close)
        if (this.text[this.at] === ',') this.at++
        else if (this.text[this.at] === close) break
        // The end of what it stands in: its own is missing.
        else if (this.lenient && depth > 0 && this.text[this.at] === '}') return items
        // A comma forgotten between two objects.
        else if (!(this.lenient && this.text[this.at] === '{')) this.fail('a comma is missing')
      }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      if (error.partial !== undefined) items.push(error.partial)
      error.partial = items
      throw error
    }
    this.at++
    return items
  }

  dict(depth: number): PyDict {
    const dict = new PyDict()
    dict.start = this.at++
    let key: PyValue = null
    try {
      for (let first = true; ; first = false) {
        this.blanks()
        if (this.text[this.at] === '}' && (first || this.lenient)) break
        // The next of several objects: the end of this one is missing.
        if (this.lenient && depth > 0 && !first && this.text[this.at] === '{') return this.ended(dict)
        key = this.key()
        this.blanks()
        if (this.text[this.at] !== ':') this.fail('a colon is missing')
        this.at++
        dict.set(key, this.value(depth + 1))
        this.passStray('}')
        if (this.text[this.at] === ',') this.at++
        else if (this.text[this.at] === '}') break
        else if (this.lenient && depth > 0 && this.text[this.at] === ']') return this.ended(dict)
        else this.fail('a comma is missing')
      }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      if (error.partial !== undefined) dict.set(key, error.partial)
      error.partial = dict
      throw error
    }
    this.at++
    return this.ended(dict)
  }
  ended(dict: PyDict): PyDict {
    dict.end = this.at
    return dict
  }

  /** Moves on to the next sign behind a value, past closing brackets of which there is one too many. */
  passStray(close: string) {
    this.blanks()
    while (this.lenient && this.text[this.at] !== close && '])}'.includes(this.text[this.at] ?? ' ')) {
      const from = this.at++
      this.blanks()
      if (this.text[this.at] === ',' || this.text[this.at] === close) continue
      this.at = from
      return
    }
  }

  key(): PyValue {
    const char = this.text[this.at]
    if (char === '"' || (char === "'" && this.lenient)) return this.string(char)
    if (!this.lenient) this.fail('a key is missing')
    word.lastIndex = this.at
    const name = word.exec(this.text)?.[0]
    if (name === undefined) return this.numberOrWord()
    this.at += name.length
    return Object.hasOwn(lenientWords, name) ? lenientWords[name]! : name
  }

  string(quote: string): string {
    const from = ++this.at
    // Most texts have no escapes: their end is found at once.
    for (let at = from; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at)
      if (code === 92) return this.escapedString(quote, from, at)
      if (code < 32 && !this.lenient) {
        this.at = at
        this.fail('a control character in a string')
      }
      if (this.text[at] === quote) {
        this.at = at + 1
        return this.text.slice(from, at)
      }
    }
    this.at = this.text.length
    return this.fail('a string without an end')
  }

  escapedString(quote: string, from: number, first: number): string {
    const parts = [this.text.slice(from, first)]
    this.at = first
    for (let start = first; this.at < this.text.length;) {
      const char = this.text[this.at]!
      if (char === quote) {
        parts.push(this.text.slice(start, this.at++))
        return parts.join('')
      }
      if (char === '\\') {
        parts.push(this.text.slice(start, this.at), this.escape())
        start = this.at
      } else if (char < ' ' && !this.lenient) this.fail('a control character in a string')
      else this.at++
    }
    return this.fail('a string without an end')
  }

  escape(): string {
    const char = this.text[this.at + 1] ?? ''
    if (char === 'u' || (char === 'x' && this.lenient)) {
      const width = char === 'u' ? 4 : 2
      const digits = this.text.slice(this.at + 2, this.at + 2 + width)
      if (digits.length !== width || !/^[0-9a-fA-F]+$/.test(digits)) this.fail('a bad escape')
      this.at += 2 + width
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const plain = escaped[char]
    if (plain === undefined || (char === "'" && !this.lenient)) {
      if (!this.lenient || char === '') this.fail('a bad escape')
      // Python keeps the backslash of an escape that it does not know.
      this.at += 2
      return `\\${char}`
    }
    this.at += 2
    return plain
  }

  numberOrWord(): PyValue {
    const pattern = this.lenient ? lenientNumber : number
    pattern.lastIndex = this.at
    const match = pattern.exec(this.text)
    const text = match?.[0] ?? ''
    if (/\d/.test(text)) {
      this.at += text.length
      if (match![1] !== undefined || match![2] !== undefined) return Number(text.replaceAll('_', ''))
      if (text.length > maxDigits) this.fail('a number with too many digits')
      return BigInt(text.replaceAll('_', '').replace(/^\+/, ''))
    }
    const minus = this.text[this.at] === '-'
    word.lastIndex = this.at + (minus ? 1 : 0)
    const name = word.exec(this.text)?.[0] ?? ''
    const vocabulary = this.lenient ? lenientWords : words
    if (!Object.hasOwn(vocabulary, name) || (minus && vocabulary[name] !== Number.POSITIVE_INFINITY))
      this.fail('a value is missing')
    this.at += name.length + (minus ? 1 : 0)
    return minus ? Number.NEGATIVE_INFINITY : vocabulary[name]!
  }
}
