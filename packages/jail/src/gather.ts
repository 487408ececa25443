/**
 * Combines files that are bound one by one into the same folder into one mount. Each mount is a descriptor
 * in gVisor's kernel from its start. With about 240 of them (torch has more libraries) it does not start,
 * and each takes time.
 */
import { chmodSync, constants, copyFileSync, linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { JailImage } from './command.ts'

type ImageBind = JailImage['binds'][number]
/** Fewer files than that stay as they are. */
const fewest = 4

const isFile = ({ source }: ImageBind) => statSync(source).isFile()
const countPathDepth = ({ target }: ImageBind) => target.split('/').length

/**
 * The same content with fewer mounts, outer ones first. Replacement folders are created in `folder`, which
 * belongs to this process and lives as long.
 */
export function gatherBinds(binds: readonly ImageBind[], folder: string): ImageBind[] {
  const files = Object.entries(Object.groupBy(binds.filter(isFile), ({ target }) => dirname(target)))
  const many = files.flatMap(([target, members = []]) =>
    members.length < fewest ? [] : [{ target, members }],
  )
  const gatheredBinds = many.map(({ target, members }, n) => {
    const source = join(folder, String(n))
    mkdirSync(source, { recursive: true })
    // A program that tries to write there sees a read-only folder, and not that it isn't root.
    chmodSync(source, 0o777)
    for (const file of members) put(file.source, join(source, basename(file.target)))
    return { source, target }
  })
  const gatheredFiles = new Set(many.flatMap(({ members }) => members))
  const mounts = [...gatheredBinds, ...binds.filter((bind) => !gatheredFiles.has(bind))]
  for (const { source, target } of gatheredBinds)
    for (const mount of mounts)
      if (mount.target.startsWith(`${target}/`))
        makePlace(mount, join(source, mount.target.slice(target.length)))
  return mounts.sort((a, b) => countPathDepth(a) - countPathDepth(b))
}

/** Without a copy, where both are on one file system. */
function put(source: string, path: string) {
  try {
    linkSync(source, path)
  } catch {
    copyFileSync(source, path, constants.COPYFILE_FICLONE)
  }
}

/** Makes the place at which something is mounted. */
function makePlace(mount: ImageBind, path: string) {
  mkdirSync(isFile(mount) ? dirname(path) : path, { recursive: true })
  if (isFile(mount)) writeFileSync(path, '')
}
