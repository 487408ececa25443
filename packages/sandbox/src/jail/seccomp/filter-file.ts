/** The filter as a file beside the prepared runtime: bubblewrap reads it from a descriptor, to its end. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleFilter, thisArch } from './filter.ts'
import { jailPolicy, type Policy } from './policy.ts'

/** Assembling takes a millisecond, and each jail asks. */
const written = new Map<string, string>()

/**
 * Writes the filter for this machine once into the folder, which must be our own, and opens it. Each jail needs a
 * descriptor of its own, since readers of one share its position; the caller closes it once the jail has been spawned.
 */
export function openFilter(folder: string, policy: Policy = jailPolicy): number {
  const key = JSON.stringify([folder, policy])
  const path = written.get(key) ?? write(folder, assembleFilter(thisArch(), policy))
  written.set(key, path)
  return openSync(path, 'r')
}

function write(folder: string, bytes: Uint8Array): string {
  const path = join(folder, `filter-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.bpf`)
  if (existsSync(path)) return path
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, bytes, { mode: 0o644 })
  renameSync(draft, path)
  return path
}
