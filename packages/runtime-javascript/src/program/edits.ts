/** Text edits that keep line numbers. */

export class TextEdits {
  readonly #code: string
  readonly #edits: { start: number; end: number; text: string; order: number }[] = []
  constructor(code: string) {
    this.#code = code
  }
  /** The replaced text’s line breaks stay, after the new text. */
  replace(start: number, end: number, text: string) {
    this.#edits.push({
      start,
      end,
      text: text + this.#code.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, ''),
      order: this.#edits.length,
    })
  }
  insert(at: number, text: string) {
    this.#edits.push({ start: at, end: at, text, order: this.#edits.length })
  }
  wrap(start: number, end: number, before: string, after: string) {
    this.insert(start, before)
    this.insert(end, after)
  }
  apply(): string {
    const parts: string[] = []
    let at = 0
    for (const { start, end, text } of this.#edits.sort(
      (a, b) => a.start - b.start || a.end - b.end || a.order - b.order,
    )) {
      if (start < at) continue // inside a replaced part
      parts.push(this.#code.slice(at, start), text)
      at = end
    }
    return parts.concat(this.#code.slice(at)).join('')
  }
}
