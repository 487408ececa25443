/**
 * Warm runners of one kind: given out one program at a time, replaced after any irregularity and after a
 * number of programs.
 */

/** The runners' interface for a pool. */
export interface PooledRunner {
  /** Tells whether another program may run here. */
  readonly usable: boolean
  /** How many programs it has run. */
  readonly runs: number
  /** Settles when it has ended, for whatever reason. */
  readonly exited: Promise<unknown>
  /** Memory that programs have left in the process, in bytes. */
  grown(): number
  /** Tells whether a canary must run before a program of this owner. */
  needsCheck(owner: string): boolean
  /** Tells whether so many programs have run since the last canary that another one must. */
  readonly isCheckDue: boolean
  /** Tells whether anybody waits for the outcome of the next canary. */
  readonly isCheckAwaited: boolean
  onAwaited: () => void
  /** Runs a canary, if any program has run since the last one. Never rejects. */
  check(): Promise<void>
  /** Rejects with a JailError where it can’t be started. */
  ready(): Promise<this>
  close(): Promise<void>
}

/** After this many programs a runner is replaced, whatever it looks like. A start costs 0.5 s of CPU time. */
const runsOfOne = 2000
/** So many programs before that its successor is started, so that nobody waits for a start. */
const ahead = 50
/**
 * So much may programs have left in a runner’s memory. It isn’t charged to the next one, so what of it is
 * freed while that one runs would be a gift.
 */
const maxGrown = 32 * 1024 * 1024
/** So long an idle runner waits for its next program before a canary that is awaited, in milliseconds. */
const checkAfterMs = 10

/** So long a canary may take before the end of a pool, in milliseconds: something may hold it up. */
const checkAtEndMs = 5000

/** Runs before the end, or before an anomaly, may still be confirmed as clean. */
async function endConfirmed(runner: PooledRunner) {
  await runner.check()
  await runner.close()
}

export class WarmPool<Runner extends PooledRunner> {
  readonly #make: () => Runner
  readonly #maxIdle: number
  readonly #spares: number
  readonly #idle: Runner[] = []
  readonly #starting = new Set<Promise<unknown>>()
  /** Runners whose successors have been started. */
  readonly #succeeded = new WeakSet<Runner>()
  #closed = false
  #awaited = 0
  /** How many run a program now, and the most that ever did: so many are kept ready. */
  #out = 0
  #maxOut = 0

  /**
   * `spares`: so many beyond those that programs had at a time, so that who comes after one that was ended
   * waits for no start.
   */
  constructor(make: () => Runner, maxIdle: number, spares = 0) {
    this.#make = make
    this.#maxIdle = maxIdle
    this.#spares = spares
  }

  /** For a program of this owner. Rejects with a JailError where none can be started. */
  async take(owner = ''): Promise<Runner> {
    this.#maxOut = Math.max(this.#maxOut, ++this.#out)
    try {
      return await this.#next(owner)
    } catch (error) {
      this.#out--
      throw error
    }
  }

  /** True if any program has a runner, or waits for one. */
  get isBusy() {
    return this.#out > 0
  }

  async #next(owner: string): Promise<Runner> {
    for (;;) {
      if (this.#closed) throw new Error('the sandbox is closed')
      for (let idle = this.#popIdle(owner); idle; idle = this.#popIdle(owner)) {
        if (idle.usable && idle.needsCheck(owner)) await idle.check()
        if (idle.usable) return idle
        void idle.close()
      }
      // One that is starting already is sooner ready than one that isn’t, if nobody else waits for it.
      if (this.#awaited >= this.#starting.size) return this.#start()
      this.#awaited++
      await Promise.race(this.#starting).finally(() => this.#awaited--)
    }
  }

  /** One that needs no canary before a program of this owner, else any. */
  #popIdle(owner: string): Runner | undefined {
    const at = this.#idle.findLastIndex((runner) => !runner.needsCheck(owner))
    return at < 0 ? this.#idle.pop() : this.#idle.splice(at, 1)[0]
  }

  /** Has a canary run in an idle runner; meanwhile the runner counts as one that starts. */
  #checkIdle(runner: Runner) {
    const at = this.#idle.indexOf(runner)
    if (at < 0) return
    this.#idle.splice(at, 1)
    this.#whenStarted(runner.check().then(() => runner))
  }

  /** Nobody takes the runner for a moment: the canary that is awaited runs now. */
  #checkSoon(runner: Runner) {
    setTimeout(() => runner.isCheckAwaited && this.#checkIdle(runner), checkAfterMs).unref()
  }

  /**
   * A runner that is used up is replaced before it is gone, so that the next program finds a warm one.
   * Resolves when it is gone.
   */
  async giveBack(runner: Runner) {
    this.#out--
    const isFit = this.#isFit(runner)
    if (isFit) this.#idle.push(runner)
    if (isFit || !this.#succeeded.has(runner)) this.#replace()
    if (!isFit) await endConfirmed(runner)
    else if (runner.isCheckDue) this.#checkIdle(runner)
    else if (runner.isCheckAwaited) this.#checkSoon(runner)
  }

  #isFit(runner: Runner): boolean {
    if (!runner.usable || runner.grown() > maxGrown || this.#closed || this.#idle.length >= this.#maxKept)
      return false
    if (runner.runs < runsOfOne - ahead) return true
    if (!this.#succeeded.has(runner)) {
      this.#succeeded.add(runner)
      this.#startOne()
    }
    // It serves until its successor is there.
    return runner.runs < runsOfOne && this.#idle.length + this.#out < this.#wanted
  }

  #start(): Promise<Runner> {
    const runner = this.#make()
    runner.onAwaited = () => this.#idle.includes(runner) && this.#checkSoon(runner)
    void runner.exited.then(() => {
      const at = this.#idle.indexOf(runner)
      if (at < 0) return
      this.#idle.splice(at, 1)
      // One that dies before its first program would be replaced again and again.
      if (runner.runs > 0) this.#replace()
    })
    return runner.ready()
  }

  /** Kept at most. */
  get #maxKept() {
    return this.#maxIdle + this.#spares
  }
  /** Counts the wanted runners: as many as programs had at a time, and the spares. */
  get #wanted() {
    return Math.min(this.#maxOut + this.#spares, this.#maxKept)
  }

  /** Starts one in the background, where there would be fewer than are wanted. */
  #replace() {
    const have = this.#idle.length + this.#starting.size + this.#out
    if (!this.#closed && have < this.#wanted) this.#startOne()
  }

  #startOne() {
    this.#whenStarted(this.#start())
  }

  /** Adds the runner to the idle ones as soon as it is there. */
  #whenStarted(started: Promise<Runner>) {
    const start = started.then(
      (runner) => (this.#closed || !runner.usable ? runner.close() : void this.#idle.push(runner)),
      // The next program that needs one hears why.
      () => {},
    )
    this.#starting.add(start)
    void start.finally(() => this.#starting.delete(start))
  }

  async close() {
    this.#closed = true
    await Promise.all(this.#starting)
    await Promise.all(
      this.#idle.splice(0).map(async (runner) => {
        const timer = setTimeout(() => void runner.close(), checkAtEndMs)
        await endConfirmed(runner).finally(() => clearTimeout(timer))
      }),
    )
  }
}
