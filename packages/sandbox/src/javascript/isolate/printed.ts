/**
 * A program's output, stdout and stderr in one order, up to a limit; far beyond it, it counts as a flood.
 */
import { floodFactor } from '../../cells/output.ts'

export class Printed {
  readonly #limit: number
  readonly #texts: string[] = []
  #kept = 0
  #seen = 0
  flood = false
  constructor(limit: number) {
    this.#limit = limit
  }
  /** False on a flood. */
  push(text: string): boolean {
    // Characters are at most bytes: the host cuts to bytes.
    if (this.#kept < this.#limit) this.#texts.push(text.slice(0, this.#limit - this.#kept))
    this.#kept += text.length
    this.#seen += Buffer.byteLength(text)
    this.flood = this.#seen > this.#limit * floodFactor
    return !this.flood
  }
  end(): { out: string; err: string; flood: boolean } {
    return { out: this.#texts.join(''), err: '', flood: this.flood }
  }
}
