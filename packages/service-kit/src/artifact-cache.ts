/**
 * Artifacts that pure code reads: loaded beforehand, then had at once. Benchmarks name what their cases need; whoever
 * hands over a case loads it first.
 */
import { ProblemError } from '@stateeval/contracts'
import type { Artifacts } from './artifacts.ts'

export interface ArtifactCache {
  /** What was asked for, by hash. Throws a problem that names what is missing. */
  load: (hashes: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>
  /** What was loaded. */
  get: (hash: string) => Uint8Array
}

const ofCase = (hash: string) =>
  new ProblemError(
    'unprocessable',
    `the artifact ${hash} of the case is not stored here; import its benchmark first`,
    '/case/artifacts',
  )

/** `most` artifacts are kept at a time, the least recently loaded go first; `missing` makes the problem of one that is not stored. */
export function createArtifactCache(
  artifacts: Pick<Artifacts, 'get'>,
  { most = 64, missing = ofCase } = {},
): ArtifactCache {
  const kept = new Map<string, Uint8Array>()
  return {
    async load(hashes) {
      const found = await Promise.all(
        hashes.map(async (hash) => [hash, kept.get(hash) ?? (await artifacts.get(hash))] as const),
      )
      const loaded = new Map<string, Uint8Array>()
      for (const [hash, bytes] of found) {
        if (!bytes) throw missing(hash)
        loaded.set(hash, bytes)
        kept.delete(hash)
        kept.set(hash, bytes)
        const oldest = kept.keys().next().value
        if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      }
      return loaded
    },
    get(hash) {
      const found = kept.get(hash)
      if (!found) throw new Error(`the artifact ${hash} was not loaded`)
      return found
    },
  }
}
