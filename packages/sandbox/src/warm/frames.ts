/** Reads one length-prefixed frame of a bounded size. */
export class Frames {
  readonly #limit: number
  readonly #exceed: () => void
  #chunks: Buffer[] = []
  #bytes = 0
  #resolve: (text: string) => void = () => {}
  constructor(limit: number, exceed: () => void) {
    this.#limit = limit
    this.#exceed = exceed
  }
  /** The text of the next frame. Never settles where none comes. */
  next(): Promise<string> {
    return new Promise((resolve) => (this.#resolve = resolve))
  }
  push(chunk: Buffer) {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const all =
      this.#bytes >= 4 && this.#chunks[0]!.length < 4 ? Buffer.concat(this.#chunks) : this.#chunks[0]!
    if (all.length < 4) return
    const length = all.readUInt32BE(0)
    if (length > this.#limit || this.#bytes > length + 4) return this.#exceed()
    if (this.#bytes === length + 4) this.#resolve(Buffer.concat(this.#chunks).toString('utf8', 4))
  }
}
