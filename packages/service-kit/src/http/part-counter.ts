/**
 * Counts what JSON consists of while it arrives. A body of very many small values takes far longer to parse
 * and to check than one of few large ones, and many times its own size of memory: 64 MiB of `1,` or `{},`
 * held a service for seconds.
 */
const [quote, backslash, brace, bracket, colon, comma] = [...Buffer.from('"\\{[:,')] as [
  number,
  number,
  number,
  number,
  number,
  number,
]

export class PartCounter {
  /** Values and names of members so far: their opening signs, colons and commas outside of texts. */
  parts = 0
  #isInText = false
  /** The next byte of the text is not its end, whatever it is. */
  #isEscaped = false

  add(json: Uint8Array): void {
    let at = 0
    while (at < json.length) {
      if (this.#isInText) {
        at = this.#endOfText(json, at)
        continue
      }
      const sign = json[at++]
      if (sign === quote) this.#isInText = true
      else if (sign === brace || sign === bracket || sign === colon || sign === comma) this.parts++
    }
  }

  /** The position after the quote that ends a text, or the end of the bytes. */
  #endOfText(json: Uint8Array, start: number): number {
    let from = this.#isEscaped ? start + 1 : start
    this.#isEscaped = false
    for (;;) {
      const at = json.indexOf(quote, from)
      const end = at < 0 ? json.length : at
      let first = end
      while (first > from && json[first - 1] === backslash) first--
      const isEscaped = (end - first) % 2 === 1
      if (at < 0) {
        this.#isEscaped = isEscaped
        return end
      }
      from = at + 1
      if (isEscaped) continue
      this.#isInText = false
      return from
    }
  }
}

const stepBytes = 64 * 1024

/** Tells whether JSON has more than `max` values and names of members. */
export function hasMoreParts(json: Uint8Array, max: number): boolean {
  const counter = new PartCounter()
  for (let at = 0; at < json.length && counter.parts <= max; at += stepBytes)
    counter.add(json.subarray(at, at + stepBytes))
  return counter.parts > max
}
