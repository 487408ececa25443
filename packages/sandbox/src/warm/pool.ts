/** Warm runners of one kind: given out one program at a time, replaced after anything odd and after enough programs. */
import { WarmRunner } from './runner.ts'

/** After this many programs a runner is replaced, whatever it looks like. */
const runsOfOne = 500

export class WarmPool {
  readonly #make: () => WarmRunner
  readonly #mostIdle: number
  readonly #idle: WarmRunner[] = []
  readonly #starting = new Set<Promise<unknown>>()
  #closed = false
  #awaited = 0

  constructor(make: () => WarmRunner, mostIdle: number) {
    this.#make = make
    this.#mostIdle = mostIdle
  }

  /** Rejects with a JailError where none can be started. */
  async take(): Promise<WarmRunner> {
    for (;;) {
      if (this.#closed) throw new Error('the sandbox is closed')
      for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) if (idle.usable) return idle
      // One that is starting already is sooner ready than one that isn’t, if nobody else waits for it.
      if (this.#awaited >= this.#starting.size) return this.#make().ready()
      this.#awaited++
      await Promise.race(this.#starting).finally(() => this.#awaited--)
    }
  }

  /** A runner that is used up is replaced at once, so that the next program finds a warm one. */
  async giveBack(runner: WarmRunner) {
    if (runner.usable && runner.runs < runsOfOne && !this.#closed && this.#idle.length < this.#mostIdle) return void this.#idle.push(runner)
    await runner.close()
    this.warm(1)
  }

  /** Starts runners in the background. */
  warm(count: number) {
    for (let n = this.#idle.length + this.#starting.size; n < Math.min(count, this.#mostIdle) && !this.#closed; n++) {
      const start = this.#make()
        .ready()
        .then(
          (runner) => (this.#closed ? runner.close() : void this.#idle.push(runner)),
          // The next program that needs one hears why.
          () => {},
        )
      this.#starting.add(start)
      void start.finally(() => this.#starting.delete(start))
    }
  }

  async close() {
    this.#closed = true
    await Promise.all(this.#starting)
    await Promise.all(this.#idle.splice(0).map((runner) => runner.close()))
  }
}
