/**
 * Files of a folder that someone else may have made. A link in it could point anywhere, and its target
 * would be sent. Links, and anything but regular files, are therefore refused.
 */
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Failure } from '../command.ts'

const isLink = (path: string) =>
  new Failure(
    `${path} is a symbolic link. Only regular files in the folder are sent; replace the link with a copy of its target.`,
  )

/**
 * The bytes of a file in the folder; the folder itself may be a link. Rejects like `readFile` if the file
 * is missing.
 */
export async function readOwn(folder: string, file: string): Promise<Buffer> {
  const parts = file.split(sep)
  for (let depth = 1; depth < parts.length; depth++)
    await requireFolder(join(folder, ...parts.slice(0, depth)))
  const path = join(folder, file)
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? isLink(path) : error
    },
  )
  try {
    if (!(await handle.stat()).isFile())
      throw new Failure(`${path} is not a regular file. Remove it, or replace it with a copy.`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Names in a subfolder of the folder; empty if it does not exist. */
export async function listOwn(folder: string, part: string): Promise<string[]> {
  const path = join(folder, part)
  const entry = await lstat(path).catch(() => undefined)
  if (entry?.isSymbolicLink()) throw isLink(path)
  return entry?.isDirectory() ? (await readdir(path)).sort() : []
}

/** Paths of the files in the folder, down to a depth; names that begin with a dot are skipped. */
export async function walkOwn(folder: string, depth: number, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.name.startsWith('.')) continue
    if (!entry.isDirectory()) paths.push(path)
    else if (depth > 0) paths.push(...(await walkOwn(folder, depth - 1, path)))
  }
  return paths
}

async function requireFolder(path: string) {
  if ((await lstat(path)).isSymbolicLink()) throw isLink(path)
}
