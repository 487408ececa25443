/**
 * Artifacts that pure code reads: loaded beforehand, then had at once. Benchmarks name what their cases need; whoever
 * hands over a case loads it first.
 */
import { ProblemError } from '@stateeval/contracts'
import type { Artifacts } from './artifacts.ts'

export interface Shelf {
  /** Throws a problem that names what is missing. */
  load: (hashes: readonly string[]) => Promise<void>
  /** What was loaded. */
  get: (hash: string) => Uint8Array
}

/** @param most artifacts kept at a time; the least recently loaded go first. */
export function createShelf(artifacts: Pick<Artifacts, 'get'>, most = 64): Shelf {
  const kept = new Map<string, Uint8Array>()
  return {
    async load(hashes) {
      for (const hash of hashes) {
        const bytes = kept.get(hash) ?? (await artifacts.get(hash))
        if (!bytes)
          throw new ProblemError(
            'unprocessable',
            `the artifact ${hash} of the case is not stored here; import its benchmark first`,
            '/case/artifacts',
          )
        kept.delete(hash)
        kept.set(hash, bytes)
        const oldest = kept.keys().next().value
        if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      }
    },
    get(hash) {
      const found = kept.get(hash)
      if (!found) throw new Error(`the artifact ${hash} was not loaded`)
      return found
    },
  }
}
