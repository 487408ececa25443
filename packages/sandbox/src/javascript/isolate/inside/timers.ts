/** setTimeout and setInterval as Node has them. The runner sleeps; what is due runs here, one timer at a time. */
import { fail } from './end.ts'
import { bail } from './host.ts'

/** A longer delay is 1 ms in Node, and a warning. */
const longest = 2 ** 31 - 1
type Callback = (...args: unknown[]) => void

class Timeout {
  /** Named and called as in Node: stacks tell `Timeout._onTimeout`. */
  _onTimeout: Callback
  #due: number
  #referenced = true
  readonly #order: number
  readonly #delay: number
  readonly #repeats: boolean
  readonly #args: unknown[]
  constructor(callback: Callback, delay: number, repeats: boolean, args: unknown[]) {
    this._onTimeout = callback
    this.#delay = delay
    this.#repeats = repeats
    this.#args = args
    this.#order = ++orders
    this.#due = now() + delay
    timers.add(this)
  }
  ref() {
    this.#referenced = true
    return this
  }
  unref() {
    this.#referenced = false
    return this
  }
  hasRef() {
    return this.#referenced
  }
  refresh() {
    if (!timers.has(this) && this !== firing) bail('refresh of a timer that is over')
    this.#due = now() + this.#delay
    timers.add(this)
    return this
  }
  close() {
    timers.delete(this)
    return this
  }
  [Symbol.dispose]() {
    timers.delete(this)
  }
  [Symbol.toPrimitive]() {
    byNumber.set(this.#order, this)
    return this.#order
  }
  /** Node’s refers to others in a circle. */
  toJSON() {
    return bail('a timer as JSON')
  }
  static due(this: void, timer: Timeout) {
    return timer.#due
  }
  static delay(this: void, timer: Timeout) {
    return timer.#delay
  }
  static before(this: void, a: Timeout, b: Timeout) {
    return a.#due - b.#due || a.#order - b.#order
  }
  static fire(this: void, timer: Timeout) {
    if (timer.#repeats) timer.#due = now() + timer.#delay
    else timers.delete(timer)
    if (timer.#args.length === 0) timer._onTimeout()
    else timer._onTimeout(...timer.#args)
  }
}
Object.defineProperty(Timeout.prototype, 'toJSON', { enumerable: false })
const { due, delay: delayOf, before, fire } = Timeout
for (const name of ['due', 'delay', 'before', 'fire']) Reflect.deleteProperty(Timeout, name)

const now = Date.now
const timers = new Set<Timeout>()
const byNumber = new Map<number, Timeout>()
let orders = 0
let firing: Timeout | undefined
/** Node runs all due timers of one delay before those of another. */
let list: number | undefined

function start(repeats: boolean, name: string) {
  return (callback: unknown, delay?: unknown, ...args: unknown[]) => {
    // Node’s own error says more than ours could.
    if (typeof callback !== 'function') bail(`${name} without a function`)
    const ms = delay === undefined ? 1 : (delay as number) * 1
    if (!(ms >= 0 && ms <= longest)) bail('a delay that Node warns of')
    return new Timeout(callback as Callback, ms >= 1 ? Math.trunc(ms) : 1, repeats, args)
  }
}
export const setTimeout = start(false, 'setTimeout')
export const setInterval = start(true, 'setInterval')
export function clearTimeout(timer: unknown) {
  const byName = typeof timer === 'number' || typeof timer === 'string'
  const found = timer instanceof Timeout ? timer : byName ? byNumber.get(Number(timer)) : undefined
  if (found) timers.delete(found)
}

/** Milliseconds until the first timer is due, or undefined where none keeps the program alive. */
export function nextTimer(): number | undefined {
  if (![...timers].some((timer) => timer.hasRef())) return undefined
  const wait = Math.max(0, due(first()!) - now())
  if (wait > 0) list = undefined
  return wait
}
function first(): Timeout | undefined {
  const sorted = [...timers].sort(before)
  return sorted.find((timer) => delayOf(timer) === list && due(timer) <= now()) ?? sorted[0]
}

/** Runs the first timer that is due, if one is. */
export function fireTimer() {
  const timer = first()
  if (!timer || due(timer) > now()) return
  list = delayOf(timer)
  firing = timer
  try {
    fire(timer)
  } catch (error) {
    fail(error)
  } finally {
    firing = undefined
  }
}
