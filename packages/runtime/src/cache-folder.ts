/** The folder of prepared runtimes. */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The path of the folder: owned by this user, in a place that jails may read. */
export function findCacheFolder(cache = process.env['STATEEVAL_SANDBOX_CACHE']): string {
  const folder = cache ?? join(tmpdir(), `stateeval-sandbox-${process.getuid?.() ?? 0}`)
  createOwnFolder(folder)
  return folder
}

/** The folder is in a place that others may write to: it must be ours, and nobody else's to write in. */
function createOwnFolder(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o755 })
  const stats = lstatSync(path)
  if (stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0)
    return chmodSync(path, 0o755)
  throw new Error(
    `The sandbox’s cache folder ${path} belongs to someone else or can be written by others. Remove it, or set STATEEVAL_SANDBOX_CACHE to your own folder.`,
  )
}
