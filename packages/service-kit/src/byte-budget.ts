/** Shared memory: a user that needs more than is left waits in line. */
interface WaitingUser {
  bytes: number
  go(): void
}

export class ByteBudget {
  readonly #maxBytes: number
  #left: number
  readonly #waiting: WaitingUser[] = []

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#left = maxBytes
  }

  /**
   * Waits until so many bytes are free, first come first served, and gives the function that returns them.
   * More than the whole budget counts as all of it. Rejects when the signal aborts first.
   */
  async take(bytes: number, signal?: AbortSignal): Promise<() => void> {
    const share = Math.min(bytes, this.#maxBytes)
    signal?.throwIfAborted()
    if (this.#waiting.length > 0 || this.#left < share) await this.#turn(share, signal)
    else this.#left -= share
    let returned = false
    return () => {
      if (returned) return
      returned = true
      this.#left += share
      this.#next()
    }
  }

  #turn(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1)
        reject(signal?.reason as Error)
        // It may have been the one that others waited behind.
        this.#next()
      }
      const turn: WaitingUser = {
        bytes,
        go() {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      this.#waiting.push(turn)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #next() {
    for (let first = this.#waiting[0]; first && this.#left >= first.bytes; first = this.#waiting[0]) {
      this.#waiting.shift()
      this.#left -= first.bytes
      first.go()
    }
  }
}
