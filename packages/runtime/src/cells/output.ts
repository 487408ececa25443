/** stdout and stderr of a jail, up to a limit. */

/** Output beyond the limit is cut; beyond this multiple of the limit, it counts as a flood. */
const floodFactor = 4
/** V8's message when its heap is full contains numbers and addresses that differ from run to run. */
const heapFull = 'heap out of memory'
const lastWords = /\n?(<--- Last few GCs --->|\n?#\n# Fatal|FATAL ERROR:)[\s\S]*$/

export class ProgramOutput {
  readonly #limit: number
  readonly #ofV8: boolean
  readonly #chunks: [Buffer[], Buffer[]] = [[], []]
  readonly #kept: [number, number] = [0, 0]
  #seen = 0
  #tail = ''
  /** `ofV8`: what V8 prints when its heap is full is no output. */
  constructor(limit: number, ofV8 = true) {
    this.#limit = limit
    this.#ofV8 = ofV8
  }
  /** False on a flood. */
  push(isError: boolean, chunk: Buffer): boolean {
    const which = isError ? 1 : 0
    const room = this.#limit - this.#kept[which]
    if (room > 0) this.#chunks[which].push(chunk.subarray(0, room))
    this.#kept[which] += Math.min(room, chunk.length)
    this.#seen += chunk.length
    if (isError) this.#tail = (this.#tail + chunk.toString('latin1')).slice(-8192)
    return this.#seen <= this.#limit * floodFactor
  }
  end(): { text: string; outOfMemory: boolean } {
    const outOfMemory = this.#ofV8 && this.#tail.includes(heapFull)
    const [out, error] = this.#chunks.map((chunks, which) => this.#textOf(chunks, this.#kept[which]!))
    return {
      text: joinOutput(out!, outOfMemory ? error!.replace(lastWords, '') : error!, this.#limit),
      outOfMemory,
    }
  }
  /** A character that the limit broke is left out. */
  #textOf(chunks: readonly Buffer[], bytes: number): string {
    const buffer = Buffer.concat(chunks)
    return bytes < this.#limit
      ? buffer.toString('utf8')
      : new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer, {
          stream: true,
        })
  }
}

/** stdout, then stderr: the longest prefix of at most this many bytes of UTF-8 that splits no character. */
function joinOutput(out: string, error: string, bytes: number): string {
  const text = out + error
  if (Buffer.byteLength(text) <= bytes) return text
  const buffer = Buffer.from(text).subarray(0, bytes)
  return new TextDecoder().decode(buffer, { stream: true })
}
