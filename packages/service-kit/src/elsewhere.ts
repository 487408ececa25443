/**
 * Jobs that this process cannot do but another may: they are returned, so that a replica with more room
 * takes them.
 */
import { LRUCache } from 'lru-cache'

/** This process lacks a resource that the job needs, such as memory. The message names it. */
export class ElsewhereError extends Error {
  override readonly name = 'Elsewhere'
}

/** How often a job is put back for others, unseen, before it is tried here again. */
const maxReturns = 16
export const longestReturnMs = 1000

/**
 * The newest jobs that this process could not do, by id. The queue does not choose among replicas, so a
 * replica that remembers a job returns it, for twelve seconds in all. Whether other replicas exist is
 * unknown: afterwards the job is tried here once more, finally.
 */
export class LeavingJobs {
  readonly #returns = new LRUCache<string, number>({ max: 10_000 })
  readonly #longestMs: number

  constructor(longestMs: number) {
    this.#longestMs = longestMs
  }

  /** Remembers a job that could not be done here. */
  add(id: string) {
    if (!this.#returns.has(id)) this.#returns.set(id, 0)
  }
  /** How long to put a job back for, in milliseconds; null where it is to be done here. */
  returnMs(id: string): number | null {
    const count = this.#returns.get(id)
    if (count === undefined || count >= maxReturns) return null
    this.#returns.set(id, count + 1)
    return Math.min(this.#longestMs, 50 * 2 ** count)
  }
  /** Nobody else has taken it. */
  isStuck(id: string): boolean {
    return (this.#returns.get(id) ?? 0) >= maxReturns
  }
}
