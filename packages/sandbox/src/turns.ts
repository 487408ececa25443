/**
 * Schedules runs. Runs share the machine. A run that the wall clock ended although it hardly computed may
 * have been starved, and gets a turn alone. Turns are given in order of request, so neither kind waits
 * forever.
 */
interface WaitingRun {
  alone: boolean
  go(): void
}

export class RunTurns {
  readonly #waiting: WaitingRun[] = []
  #running = 0
  #alone = false
  /** How often a run has begun. */
  #begun = 0

  /**
   * Runs beside others. `crowded` tells whether there were any. Rejects when the signal aborts while waiting.
   */
  async shared<T>(work: () => Promise<T>, signal: AbortSignal): Promise<{ value: T; crowded: boolean }> {
    await this.#enter(false, signal)
    const others = this.#running > 1
    const startCount = this.#begun
    try {
      const value = await work()
      return { value, crowded: others || this.#begun > startCount }
    } finally {
      this.#leave()
    }
  }
  /** Runs when nobody else does; nobody else begins meanwhile. */
  async alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(true, signal)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(alone: boolean, signal: AbortSignal) {
    signal.throwIfAborted()
    if (this.#waiting.length === 0 && this.#admits(alone)) return this.#begin(alone)
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(signal.reason as Error)
        this.#next()
      }
      const waiter: WaitingRun = {
        alone,
        go: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      this.#waiting.push(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  #admits(alone: boolean) {
    return !this.#alone && (!alone || this.#running === 0)
  }
  #begin(alone: boolean) {
    this.#running++
    this.#begun++
    this.#alone = alone
  }
  #leave() {
    this.#running--
    this.#alone = false
    this.#next()
  }
  #next() {
    while (this.#waiting[0] && this.#admits(this.#waiting[0].alone)) {
      const next = this.#waiting.shift()!
      this.#begin(next.alone)
      next.go()
    }
  }
}
