/** Finds marks in a text, and tells those that somebody quotes from those that mark something. */

export interface AnswerMarkPlace {
  text: string
  start: number
  end: number
  /** The beginning of its line. */
  line: number
  /** True if only blanks and marks of a quotation stand before it in its line. */
  isFirst: boolean
}

export const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** A special token in the form of most tokenizers, as a pattern; its family may be in no table. */
export const specialToken = '<[|｜][^|｜\\n]{1,60}[|｜]>'

/** The longest first, so that no mark hides another one that begins with it. */
export const buildAlternation = (texts: readonly string[]) =>
  [...new Set(texts)]
    .sort((a, b) => b.length - a.length)
    .map(escapePattern)
    .join('|')

/**
 * The marks that a pattern finds, in order, without those within inline code or a quoted text of one line:
 * these speak of the mark. Each line is read once.
 */
export function listMarks(text: string, pattern: RegExp): AnswerMarkPlace[] {
  const marks: AnswerMarkPlace[] = []
  let line: QuotedLine | null = null
  for (const { index: start, 0: found } of text.matchAll(pattern)) {
    const end = start + found.length
    if (!line || start >= line.end) line = new QuotedLine(text, start)
    if (line.isQuoted(start, end)) continue
    marks.push({ text: found, start, end, line: line.start, isFirst: line.isFirst(start) })
  }
  return marks
}

/** A line that is read from left to right for quotes. */
class QuotedLine {
  readonly start: number
  readonly end: number
  readonly #text: string
  readonly #first: number
  readonly #last = new Map<string, number>()
  #at: number
  /** The quote that is open: a quotation mark, or one or two backticks. */
  #quote: string | null = null

  constructor(text: string, within: number) {
    this.#text = text
    this.start = text.lastIndexOf('\n', within - 1) + 1
    const end = text.indexOf('\n', within)
    this.end = end < 0 ? text.length : end
    this.#at = this.start
    let first = this.start
    while (first < this.end && ' \t>'.includes(text[first] as string)) first++
    this.#first = first
  }
  isFirst = (at: number) => at <= this.#first

  isQuoted(start: number, end: number): boolean {
    while (this.#at < start) this.#read()
    const quote = this.#quote
    return quote !== null && this.#lastOf(quote) >= end
  }
  #lastOf(quote: string): number {
    const known = this.#last.get(quote)
    if (known !== undefined) return known
    const last = this.#text.lastIndexOf(quote, this.end - 1)
    this.#last.set(quote, last)
    return last
  }
  #read() {
    const at = this.#at
    const now = this.#text[at] as string
    this.#at++
    if (now === '\\') this.#at++
    else if (now === '`') {
      while (this.#text[this.#at] === '`') this.#at++
      const run = this.#text.slice(at, Math.min(this.#at, at + 3))
      // Three are a fence, which quotes nothing in its line.
      if (run.length < 3) this.#toggle(run)
    } else if (now === '"') this.#toggle(now)
    else if (now === "'" && (this.#quote === now || !/\w/.test(this.#text[at - 1] ?? ''))) this.#toggle(now)
  }
  #toggle(quote: string) {
    if (this.#quote === quote) this.#quote = null
    else this.#quote ??= quote
  }
}
