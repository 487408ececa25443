/** setTimeout and setInterval as Node has them. The runner sleeps; what is due runs here, one timer at a time. */
import { fail } from './end.ts'
import { bail } from './host.ts'

/** Node’s: a delay outside this range is 1 ms. */
const longest = 2 ** 31 - 1

class Timeout {
  #due: number
  #referenced = true
  readonly #order: number
  readonly #delay: number
  readonly #repeats: boolean
  readonly #callback: () => void
  constructor(callback: () => void, delay: number, repeats: boolean) {
    this.#callback = callback
    this.#delay = delay
    this.#repeats = repeats
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
    this.#due = now() + this.#delay
    return this
  }
  close() {
    timers.delete(this)
    return this
  }
  [Symbol.toPrimitive]() {
    byNumber.set(this.#order, this)
    return this.#order
  }
  static due = (timer: Timeout) => timer.#due
  static before = (a: Timeout, b: Timeout) => a.#due - b.#due || a.#order - b.#order
  static fire(timer: Timeout) {
    if (timer.#repeats) timer.#due = now() + timer.#delay
    else timers.delete(timer)
    timer.#callback()
  }
}

const now = Date.now
const timers = new Set<Timeout>()
const byNumber = new Map<number, Timeout>()
let orders = 0

function start(repeats: boolean, name: string) {
  return (callback: unknown, delay?: unknown, ...args: unknown[]) => {
    // Node’s own error says more than ours could.
    if (typeof callback !== 'function') bail(`${name} without a function`)
    const ms = Number(delay)
    return new Timeout(() => (callback as (...args: unknown[]) => void)(...args), ms >= 1 && ms <= longest ? Math.trunc(ms) : 1, repeats)
  }
}
export const setTimeout = start(false, 'setTimeout')
export const setInterval = start(true, 'setInterval')
export function clearTimeout(timer: unknown) {
  const found = timer instanceof Timeout ? timer : byNumber.get(Number(timer))
  if (found) timers.delete(found)
}

/** Milliseconds until the first timer is due, or undefined where none keeps the program alive. */
export function nextTimer(): number | undefined {
  if (![...timers].some((timer) => timer.hasRef())) return undefined
  return Math.max(0, Timeout.due(first()!) - now())
}
const first = () => [...timers].sort(Timeout.before)[0]

/** Runs the first timer that is due, if one is. */
export function fireTimer() {
  const timer = first()
  if (!timer || Timeout.due(timer) > now()) return
  try {
    Timeout.fire(timer)
  } catch (error) {
    fail(error)
  }
}
