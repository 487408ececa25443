/**
 * The only connection from the isolate to the runner: a function that the runner inserts before anything
 * else runs. Only primitives, and copies of plain data, pass through it. It is removed from the global
 * scope before candidate code starts.
 */

import { areIntact } from './intact.ts'

export interface Host {
  /**
   * Gives up: the program needs what an isolate hasn’t got, and runs in a process instead. Doesn’t return.
   */
  (op: 'bail', what: string): never
  /** The program ended; the text is the outcome. Doesn’t return where `stop` is set. */
  (op: 'end', outcome: string, stop: boolean): void
  /** Formats as Node’s console does. */
  (op: 'print', args: unknown[]): void
  /** Writes text as it is. */
  (op: 'write', text: string): void
  /** Starts a request; its answer comes back through `answer`. */
  (op: 'request', id: number, request: string, body: string | undefined): void
  /** Calls a function of the host; its reply comes back through `reply`. */
  (op: 'call', id: number, name: string, args: string): void
  /** The same, and waits for the reply. */
  (op: 'callSync', name: string, args: string): string
  /** A URL’s parts as JSON, or undefined where it is none; after a part of it was set, where one is named. */
  (op: 'url', url: string, base: string | undefined, part?: string, value?: string): string | undefined
}

let door: Host | undefined

export function openDoor(host: Host) {
  door = host
}
/** Without argument lists, because they use iterators that a program may have changed. */
export const host = ((op: string, a: unknown, b: unknown, c: unknown, d: unknown) =>
  (door as (...args: unknown[]) => unknown)(op, a, b, c, d)) as Host

/** So many characters of a reason are told: programs choose its words. */
const maxReason = 120
const { apply } = Reflect
// eslint-disable-next-line @typescript-eslint/unbound-method -- called by apply, which candidates can't change here
const { slice } = String.prototype

/** Abandons the isolate’s run: a process runs the program from the start, in a fresh world. */
export function bail(what: string): never {
  ;(door as Host)('bail', apply(slice, what, [0, maxReason]))
  // The runner has ended the isolate: this loop is its last instruction, which termination interrupts.
  for (;;);
}

/**
 * Call this where our code begins to run and uses builtins, and before the end is reported: a run that
 * bails out never counts.
 */
export function requireIntact() {
  if (!areIntact()) bail('a changed builtin')
}
