/**
 * Artifacts that pure code reads: loaded beforehand, then available at once. Benchmarks name what their cases
 * need; whoever hands over a case loads it first, and holds what was loaded for as long as the case is in
 * flight.
 */
import { ProblemError } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import { inProjectName } from './access/project.ts'
import type { Artifacts } from './artifacts.ts'

/** Files by hash. */
export type LoadedArtifacts = ReadonlyMap<string, Uint8Array>

export interface ArtifactCache {
  /** The files of these hashes. Throws a problem that names what is missing. */
  load: (hashes: readonly string[]) => Promise<LoadedArtifacts>
  /** Does some work while its files are held. */
  use: <T>(hashes: readonly string[], work: (files: LoadedArtifacts) => T | Promise<T>) => Promise<T>
  /** One file that somebody has loaded and still holds, or that was loaded lately. */
  get: (hash: string) => Uint8Array
}

const ofCase = (hash: string) =>
  new ProblemError(
    'unprocessable',
    `the artifact ${hash} of the case is not stored here; import its benchmark first`,
    '/case/artifacts',
  )

/**
 * The files loaded last stay, up to `maxBytes`, and besides them all that somebody holds: whatever else is
 * loaded meanwhile, a case in flight finds its own. Each project finds its own only. `missing` makes the
 * problem of one that is not stored.
 */
export function createArtifactCache(
  artifacts: Pick<Artifacts, 'get'>,
  { maxBytes = 64 * 1024 * 1024, missing = ofCase } = {},
): ArtifactCache {
  const latest = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) => byteLength + 1,
  })
  const references = new Map<string, WeakRef<Uint8Array>>()
  const released = new FinalizationRegistry<string>((hash) => {
    if (!references.get(hash)?.deref()) references.delete(hash)
  })
  const heldNow = (name: string) => references.get(name)?.deref()
  const keep = (name: string, bytes: Uint8Array) => {
    // Of several that load the same at once, all hold the same bytes.
    const one = heldNow(name) ?? bytes
    if (one === bytes) {
      references.set(name, new WeakRef(bytes))
      released.register(bytes, name)
    }
    latest.set(name, one)
    return one
  }
  const load = async (hashes: readonly string[]) => {
    const files = new Map<string, Uint8Array>()
    await Promise.all(
      hashes.map(async (hash) => {
        const name = inProjectName(hash)
        const bytes = heldNow(name) ?? (await artifacts.get(hash))
        if (!bytes) throw missing(hash)
        files.set(hash, keep(name, bytes))
      }),
    )
    return files
  }
  const inUse = new Set<LoadedArtifacts>()
  return {
    load,
    async use(hashes, work) {
      const files = await load(hashes)
      inUse.add(files)
      try {
        return await work(files)
      } finally {
        inUse.delete(files)
      }
    },
    get(hash) {
      const bytes = heldNow(inProjectName(hash))
      if (!bytes) throw new Error(`the artifact ${hash} was not loaded`)
      return bytes
    },
  }
}
