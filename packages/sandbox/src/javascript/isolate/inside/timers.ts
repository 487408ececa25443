/**
 * setTimeout and setInterval with Node's semantics: timers with equal delay in a row, rows in a heap
 * ordered by their first timer. The runner sleeps, and due timers run here one at a time. Builtins that a
 * program may have changed are not used.
 */
import { fail } from './end.ts'
import { bail } from './host.ts'

/** A longer delay is 1 ms in Node, and a warning. */
const longest = 2 ** 31 - 1
type Callback = (...args: unknown[]) => void

/** Timers of one delay, which are due in the order in which they were started. */
interface Row {
  first: Timeout | undefined
  last: Timeout | undefined
  /** When its turn comes, as the heap knows it: never later than its first timer’s. */
  due: number
  order: number
  queued: boolean
}

class Timeout {
  /** Named and called as in Node: stacks tell `Timeout._onTimeout`. */
  _onTimeout: Callback
  #due = 0
  #order = 0
  #referenced = true
  #row: Row | undefined
  #before: Timeout | undefined
  #after: Timeout | undefined
  readonly #number: number
  readonly #delay: number
  readonly #repeats: boolean
  readonly #args: unknown[]
  constructor(callback: Callback, delay: number, repeats: boolean, args: unknown[]) {
    this._onTimeout = callback
    this.#delay = delay
    this.#repeats = repeats
    this.#args = args
    this.#number = ++numbers
    this.#start(now() + delay)
  }
  ref() {
    if (this.#row && !this.#referenced) referenced++
    this.#referenced = true
    return this
  }
  unref() {
    if (this.#row && this.#referenced) referenced--
    this.#referenced = false
    return this
  }
  hasRef() {
    return this.#referenced
  }
  refresh() {
    if (!this.#row && this !== firing) bail('refresh of a timer that is over')
    this.#stop()
    this.#start(now() + this.#delay)
    return this
  }
  close() {
    stop(this)
    return this
  }
  [Symbol.dispose]() {
    stop(this)
  }
  [Symbol.toPrimitive]() {
    byNumber[this.#number] = this
    return this.#number
  }
  /** Node’s refers to others in a circle. */
  toJSON() {
    return bail('a timer as JSON')
  }
  #start(due: number) {
    this.#due = due
    this.#order = ++orders
    const row = (rows[this.#delay] ??= { first: undefined, last: undefined, due: 0, order: 0, queued: false })
    this.#row = row
    this.#before = row.last
    if (row.last) row.last.#after = this
    else row.first = this
    row.last = this
    if (this.#referenced) referenced++
    if (!row.queued) enqueue(row, due, this.#order)
  }
  #stop() {
    const row = this.#row
    if (!row) return
    if (this.#before) this.#before.#after = this.#after
    else row.first = this.#after
    if (this.#after) this.#after.#before = this.#before
    else row.last = this.#before
    this.#row = this.#before = this.#after = undefined
    if (this.#referenced) referenced--
  }
  static due(this: void, timer: Timeout) {
    return timer.#due
  }
  static order(this: void, timer: Timeout) {
    return timer.#order
  }
  static row(this: void, timer: Timeout) {
    return timer.#row
  }
  static stop(this: void, timer: Timeout) {
    timer.#stop()
    if (timer === firing) repeats = false
  }
  /** An interval stands in its row again once its callback has returned, behind what that has started. */
  static fire(this: void, timer: Timeout) {
    const again = now() + timer.#delay
    timer.#stop()
    repeats = timer.#repeats
    if (timer.#args.length === 0) timer._onTimeout()
    else apply(timer._onTimeout, timer, timer.#args)
    if (!repeats) return
    timer.#stop()
    timer.#start(again)
  }
}
Object.defineProperty(Timeout.prototype, 'toJSON', { enumerable: false })
const { due, order, row: rowOf, stop, fire } = Timeout
for (const name of ['due', 'order', 'row', 'stop', 'fire']) Reflect.deleteProperty(Timeout, name)

const { now } = Date
const { max, trunc } = Math
const { apply } = Reflect
const nothing = <T>() => Object.create(null) as Record<number, T | undefined>
const rows = nothing<Row>()
const byNumber = nothing<Timeout>()
const heap: Row[] = []
let size = 0
let numbers = 0
let orders = 0
/** Timers that keep the program alive. */
let referenced = 0
let firing: Timeout | undefined
/** Whether the timer that is firing will stand in its row again. */
let repeats = false
/** Node runs all due timers of one delay before those of another. */
let current: Row | undefined

const comesBefore = (a: Row, b: Row) => (a.due === b.due ? a.order < b.order : a.due < b.due)

function enqueue(row: Row, due: number, order: number) {
  row.due = due
  row.order = order
  row.queued = true
  let at = size++
  for (let above = (at - 1) >> 1; at > 0 && comesBefore(row, heap[above]!); above = (at - 1) >> 1) {
    heap[at] = heap[above]!
    at = above
  }
  heap[at] = row
}

/** Puts a row where the top was, and moves it down. */
function replaceTop(row: Row) {
  let at = 0
  for (let below = 1; below < size; below = 2 * at + 1) {
    if (below + 1 < size && comesBefore(heap[below + 1]!, heap[below]!)) below++
    if (!comesBefore(heap[below]!, row)) break
    heap[at] = heap[below]!
    at = below
  }
  heap[at] = row
}

function first(): Timeout | undefined {
  if (current?.first && due(current.first) <= now()) return current.first
  while (size > 0) {
    const top = heap[0]!
    const timer = top.first
    if (timer && order(timer) === top.order) return timer
    // Its first timer was stopped meanwhile.
    if (timer) {
      top.due = due(timer)
      top.order = order(timer)
      replaceTop(top)
    } else {
      top.queued = false
      const last = heap[--size]!
      if (size > 0) replaceTop(last)
    }
  }
  return undefined
}

function start(repeating: boolean, name: string) {
  return (callback: unknown, delay?: unknown, ...args: unknown[]) => {
    // Node’s own error says more than ours could.
    if (typeof callback !== 'function') bail(`${name} without a function`)
    const ms = delay === undefined ? 1 : (delay as number) * 1
    if (!(ms >= 0 && ms <= longest)) bail('a delay that Node warns of')
    return new Timeout(callback as Callback, ms >= 1 ? trunc(ms) : 1, repeating, args)
  }
}
export const setTimeout = start(false, 'setTimeout')
export const setInterval = start(true, 'setInterval')
export function clearTimeout(timer: unknown) {
  const byName = typeof timer === 'number' || typeof timer === 'string'
  const timeout = timer instanceof Timeout ? timer : byName ? byNumber[+timer] : undefined
  if (timeout) stop(timeout)
}

/** Milliseconds until the first timer is due; undefined if none keeps the program alive. */
export function nextTimer(): number | undefined {
  if (referenced === 0) return undefined
  const wait = max(0, due(first()!) - now())
  if (wait > 0) current = undefined
  return wait
}

/** Runs the first due timer, if there is one. */
export function fireTimer() {
  const timer = first()
  if (!timer || due(timer) > now()) return
  current = rowOf(timer)
  firing = timer
  try {
    fire(timer)
  } catch (error) {
    fail(error)
  } finally {
    firing = undefined
  }
}
