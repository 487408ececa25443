/**
 * Artifacts for pure code: loaded beforehand, then available immediately. Benchmarks name the artifacts
 * that their cases need. The caller with a case loads them first, and holds them while the case is in
 * progress.
 */
import { ProblemError } from '@stateeval/contracts'
import { LRUCache } from 'lru-cache'
import { qualifyName } from './access/project.ts'
import type { ProjectArtifacts } from './artifacts.ts'

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

const createMissingArtifactError = (hash: string) =>
  new ProblemError(
    'unprocessable',
    `the artifact ${hash} of the case is not stored here; import its benchmark first`,
    '/case/artifacts',
  )

/**
 * Recently loaded files stay, up to `maxBytes`, in addition to all held files, so a case in progress always
 * finds its files. Each project finds only its own. `missing` creates the problem for a file that is not
 * stored.
 */
export function createArtifactCache(
  artifacts: Pick<ProjectArtifacts, 'get'>,
  { maxBytes = 64 * 1024 * 1024, missing = createMissingArtifactError } = {},
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
    // If several callers load the same at once, all hold the same bytes.
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
        const name = qualifyName(hash)
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
      const bytes = heldNow(qualifyName(hash))
      if (!bytes) throw new Error(`the artifact ${hash} was not loaded`)
      return bytes
    },
  }
}
