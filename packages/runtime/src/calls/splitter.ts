/**
 * Separates calls from the jail's output. The rest, from the first frame that is not a call, passes through
 * unchanged.
 */
import { callMark } from './protocol.ts'

export class CallSplitter {
  readonly #limit: number
  readonly #call: (body: Buffer) => void
  readonly #rest: (chunk: Buffer) => void
  readonly #exceed: () => void
  #held: Buffer[] = []
  #bytes = 0
  /** How many bytes must be there before there is something to do. */
  #needed = 5
  #over = false

  /** `limit` is for a call’s body, in bytes; beyond it nothing more is read. */
  constructor(
    limit: number,
    call: (body: Buffer) => void,
    rest: (chunk: Buffer) => void,
    exceed: () => void,
  ) {
    this.#limit = limit
    this.#call = call
    this.#rest = rest
    this.#exceed = exceed
  }

  push(chunk: Buffer) {
    if (this.#over) return this.#rest(chunk)
    this.#held.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= this.#needed) this.#split(this.#held.length === 1 ? chunk : Buffer.concat(this.#held))
  }

  #split(all: Buffer) {
    let at = 0
    this.#needed = 5
    for (; all.length - at >= 5; this.#needed = 5) {
      const length = all.readUInt32BE(at)
      if (all[at + 4] !== callMark || length === 0) {
        this.#over = true
        this.#held = []
        return this.#rest(all.subarray(at))
      }
      if (length > this.#limit) {
        this.#over = true
        this.#held = []
        return this.#exceed()
      }
      this.#needed = length + 4
      if (all.length - at < this.#needed) break
      this.#call(all.subarray(at + 4, at + this.#needed))
      at += this.#needed
    }
    this.#held = at === all.length ? [] : [all.subarray(at)]
    this.#bytes = all.length - at
  }

  /** Passes on the rest when the jail has ended: half a frame. */
  end() {
    if (!this.#over && this.#bytes > 0) this.#rest(Buffer.concat(this.#held))
    this.#over = true
  }
}
