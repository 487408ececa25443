/**
 * Tracks whether a program is inside a string or comment that spans lines, in one pass over its characters.
 */
import type { Language } from '@stateeval/contracts'
import type { LineReader } from './fences.ts'

const readers: Readonly<Record<Language, () => LineReader>> = {
  javascript: () => new JavaScript(),
  python: () => new PythonLineReader(),
}
export const createLineReader = (language: Language): LineReader => readers[language]()

/** Tells whether a program ends inside a string or comment: it is broken, or was cut there. */
export function isEndingInString(code: string, language: Language): boolean {
  const reader = createLineReader(language)
  for (const line of code.split('\n')) reader.read(line)
  return reader.inside
}

/** Behind the quote that ends a string of one line; the line's end where none does. */
function skipQuoted(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === quote) return at + 1
  }
  return line.length
}

class PythonLineReader implements LineReader {
  #quotes: string | null = null
  get inside() {
    return this.#quotes !== null
  }
  read(line: string) {
    for (let at = 0; at < line.length;) {
      const now = line[at] as string
      if (this.#quotes !== null) {
        if (line.startsWith(this.#quotes, at)) {
          at += 3
          this.#quotes = null
        } else at += now === '\\' ? 2 : 1
      } else if (now === '#') return
      else if (now !== '"' && now !== "'") at++
      else if (line.startsWith(now.repeat(3), at)) {
        this.#quotes = now.repeat(3)
        at += 3
      } else at = skipQuoted(line, at + 1, now)
    }
  }
}

/** Words that a regular expression may follow, where behind others a slash divides. */
const beforeValue = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|await|yield|throw|new)$/

class JavaScript implements LineReader {
  /** Its surroundings: a template, a comment, or code within a template with so many open braces. */
  readonly #around: ('template' | 'comment' | { braces: number })[] = []
  /** The last character of code that is no blank. */
  #last = ''
  get inside() {
    const now = this.#around.at(-1)
    return now === 'template' || now === 'comment'
  }
  read(line: string) {
    for (let at = 0; at < line.length;) {
      const now = this.#around.at(-1)
      if (now === 'comment') at = this.#comment(line, at)
      else if (now === 'template') at = this.#template(line, at)
      else at = this.#code(line, at)
    }
  }
  #comment(line: string, from: number): number {
    const end = line.indexOf('*/', from)
    if (end < 0) return line.length
    this.#around.pop()
    return end + 2
  }
  #template(line: string, from: number): number {
    for (let at = from; at < line.length; at++) {
      if (line[at] === '\\') at++
      else if (line[at] === '`') {
        this.#around.pop()
        this.#last = '`'
        return at + 1
      } else if (line[at] === '$' && line[at + 1] === '{') {
        this.#around.push({ braces: 0 })
        this.#last = '{'
        return at + 2
      }
    }
    return line.length
  }
  #code(line: string, at: number): number {
    const now = line[at] as string
    const next = line[at + 1]
    if (now === ' ' || now === '\t') return at + 1
    if (now === '/' && next === '/') return line.length
    if (now === '/' && next === '*') {
      this.#around.push('comment')
      return at + 2
    }
    const last = this.#last
    this.#last = now
    if (now === '`') this.#around.push('template')
    else if (now === '"' || now === "'") return skipQuoted(line, at + 1, now)
    else if (
      now === '/' &&
      (/^$|[(,=:[!&|?{};+\-*%<>~^]/.test(last) ||
        beforeValue.test(line.slice(Math.max(0, at - 12), at).trimEnd()))
    )
      return skipPattern(line, at + 1)
    else this.#brace(now)
    return at + 1
  }
  #brace(now: string) {
    const within = this.#around.at(-1)
    if (typeof within !== 'object') return
    if (now === '{') within.braces++
    else if (now === '}' && within.braces-- === 0) this.#around.pop()
  }
}

/** Behind a regular expression; the line's end where none ends it: that is no program. */
function skipPattern(line: string, from: number): number {
  let inClass = false
  for (let at = from; at < line.length; at++) {
    const now = line[at]
    if (now === '\\') at++
    else if (now === '[') inClass = true
    else if (now === ']') inClass = false
    else if (now === '/' && !inClass) return at + 1
  }
  return line.length
}
