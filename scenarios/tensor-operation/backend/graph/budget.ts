/** Memory that large graphs share: each waits for its part, in the order in which they came. */
import { LackOfMemory } from '@stateeval/sandbox/lack-of-memory'

/** This machine has less memory than the graph needs; another one may have enough. */
export class MemoryError extends LackOfMemory {
  override readonly name = 'MemoryError'
}

const toMib = (bytes: number) => Math.ceil(bytes / 2 ** 20)

export class MemoryBudget {
  readonly #most: number
  #free: number
  readonly #waiting: { bytes: number; go: () => void }[] = []

  constructor(bytes: number) {
    this.#most = bytes
    this.#free = bytes
  }

  /** Resolves when there is room, to what gives it back. Rejects with a MemoryError where there never is. */
  async take(bytes: number): Promise<() => void> {
    if (bytes > this.#most)
      throw new MemoryError(
        `the tensors of the graph take ${toMib(bytes)} MiB, and graphs may take ${toMib(this.#most)} here (STATEEVAL_TENSOR_MIB): run execution where there is more memory, or generate with fewer elements`,
      )
    await new Promise<void>((go) => {
      this.#waiting.push({ bytes, go })
      this.#next()
    })
    return () => {
      this.#free += bytes
      this.#next()
    }
  }

  #next() {
    for (let first = this.#waiting[0]; first && first.bytes <= this.#free; first = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= first.bytes
      first.go()
    }
  }
}
