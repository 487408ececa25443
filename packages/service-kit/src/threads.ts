/**
 * Processes long texts in separate threads, so that a service answers other requests while it reads what a
 * model wrote.
 */
import { Piscina } from 'piscina'

/**
 * Texts up to this length are read in place: that takes at most about ten milliseconds, for any content.
 */
export const maxInPlace = 4096

export interface Threads {
  /** Calls the function of that name which the file exports; what goes in and comes out is copied. */
  run<T>(name: string, task: unknown): Promise<T>
  close(): Promise<void>
}

/** Threads that load a file; created on demand, and ended after an idle period. */
export function createThreads(file: URL, { maxThreads = 2, idleMs = 60_000 } = {}): Threads {
  let pool: Piscina | undefined
  const cache = process.env['NODE_COMPILE_CACHE']
  const opened = () =>
    (pool ??= new Piscina({
      filename: file.href,
      minThreads: 0,
      maxThreads,
      idleTimeout: idleMs,
      execArgv: [],
      // Keys of models have no business there.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    }))
  return {
    run: <T>(name: string, task: unknown) => opened().run(task, { name }) as Promise<T>,
    async close() {
      await pool?.destroy()
    },
  }
}

/**
 * Whether the texts in a value and its members exceed a total number of characters. Stops at that number.
 */
export function isLong(value: unknown, maxCharacters = maxInPlace): boolean {
  let budget = maxCharacters
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    budget -= typeof next === 'string' ? next.length : 1
    if (typeof next === 'object' && next !== null) {
      if (Array.isArray(next) && next.length > budget) return true
      for (const member of Object.values(next) as unknown[]) open.push(member)
    }
    if (budget < 0) return true
  }
  return false
}
