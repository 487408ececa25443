/**
 * The folders that contain sets. Each is noted when it is written or read, so that a listing can name it.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { getHomeFolder } from './home.ts'
import { readText } from '../text-file.ts'

/** Paths by the digest of the set. */
type FolderIndex = Record<string, string[]>
const getFoldersFile = () => join(getHomeFolder(), 'folders.json')

async function readFolderIndex(): Promise<FolderIndex> {
  try {
    return JSON.parse(await readFile(getFoldersFile(), 'utf8')) as FolderIndex
  } catch {
    return {} // none yet, or torn: it is noted anew as folders are used
  }
}

/** Notes that a folder contains a set. Never fails: a home folder that is not writable keeps no notes. */
export async function noteFolder(digest: string, folder: string): Promise<void> {
  const path = resolve(folder)
  const folders = await readFolderIndex()
  if (folders[digest]?.includes(path)) return
  const others = Object.entries(folders).map(
    ([other, paths]) => [other, paths.filter((one) => one !== path)] as const,
  )
  const next = { ...Object.fromEntries(others.filter(([, paths]) => paths.length > 0)) }
  next[digest] = [...(folders[digest] ?? []), path]
  try {
    await mkdir(getHomeFolder(), { recursive: true })
    const temporary = `${getFoldersFile()}.${process.pid}`
    await writeFile(temporary, JSON.stringify(next, null, 2) + '\n')
    await rename(temporary, getFoldersFile())
  } catch {
    // told nowhere: nothing depends on it
  }
}

/** The folders that still contain the sets, without those removed or replaced since. */
export async function findFolders(digests: readonly string[]): Promise<Map<string, string[]>> {
  const folders = await readFolderIndex()
  const entries = await Promise.all(
    digests.map(async (digest) => {
      const paths = Object.hasOwn(folders, digest) ? folders[digest]! : []
      const there = await Promise.all(paths.map((path) => hasSet(path, digest)))
      return [digest, paths.filter((_, at) => there[at])] as const
    }),
  )
  return new Map(entries)
}

async function hasSet(folder: string, digest: string): Promise<boolean> {
  try {
    return (
      (JSON.parse(await readText(join(folder, 'manifest.json'))) as { digest?: unknown }).digest === digest
    )
  } catch {
    return false
  }
}
