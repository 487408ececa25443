/**
 * The one door from the isolate to the runner: a function that the runner puts in before anything else runs. Only
 * primitives, and copies of plain data, pass through it. It is taken out of the global scope before candidate code starts.
 */

export interface Host {
  /** Gives up: the program needs what an isolate hasn’t got, and runs in a process instead. Doesn’t return. */
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
export const host = ((...args: Parameters<Host>) => (door as (...args: unknown[]) => unknown)(...args)) as unknown as Host

/** Ends the isolate’s run: a process runs the program from the start, in a fresh world. */
export function bail(what: string): never {
  host('bail', what)
  // The runner has ended the isolate: this loop is its last instruction, which termination interrupts.
  for (;;);
}
