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
  const cache = new Map<string, Uint8Array>()
  return {
    async load(hashes) {
      const entries = await Promise.all(
        hashes.map(async (hash) => [hash, cache.get(hash) ?? (await artifacts.get(hash))] as const),
      )
      const files = new Map<string, Uint8Array>()
      for (const [hash, bytes] of entries) {
        if (!bytes) throw missing(hash)
        files.set(hash, bytes)
        cache.delete(hash)
        cache.set(hash, bytes)
        const oldest = cache.keys().next().value
        if (cache.size > most && oldest !== undefined) cache.delete(oldest)
      }
      return files
    },
    get(hash) {
      const bytes = cache.get(hash)
      if (!bytes) throw new Error(`the artifact ${hash} was not loaded`)
      return bytes
    },
  }
}
