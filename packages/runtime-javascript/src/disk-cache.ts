/**
 * Caches results derived from files until one of the files changes: bundling takes half a second at every
 * start.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type { BuildResult } from 'esbuild'

interface CachedValue<T> {
  inputs: readonly string[]
  digest: string
  value: T
}

/**
 * `file` is in a folder that no other user can write to. If it cannot be written, the work is done each
 * time.
 */
export function readDiskCache<T>(file: string, make: () => { value: T; inputs: readonly string[] }): T {
  const entry = read<T>(file)
  if (entry) return entry.value
  const { value, inputs } = make()
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(
      draft,
      JSON.stringify({ inputs, digest: computeInputDigest(inputs), value } satisfies CachedValue<T>),
      {
        mode: 0o644,
      },
    )
    renameSync(draft, file)
  } catch {
    // A full disk, or a folder that is read-only: nothing is lost but time.
  }
  return value
}

function read<T>(file: string): CachedValue<T> | undefined {
  try {
    const entry = JSON.parse(readFileSync(file, 'utf8')) as CachedValue<T>
    return entry.digest === computeInputDigest(entry.inputs) ? entry : undefined
  } catch {
    // None yet, or one of the files is gone.
    return undefined
  }
}

function computeInputDigest(inputs: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of inputs) hash.update(`\0${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

const bundler = createRequire(import.meta.url).resolve('esbuild/package.json')
/** The files from which bundles were made (`metafile: true`, relative to `folder`), and the bundler. */
export function listBundleInputs(
  folder: string,
  results: readonly BuildResult[],
  makers: readonly string[],
): string[] {
  const files = results
    .flatMap(({ metafile }) => Object.keys(metafile!.inputs))
    .map((path) => resolve(folder, path))
  return [...new Set([bundler, ...makers, ...files])].filter((path) => existsSync(path)).sort()
}
